/** The rows of a list: an account, a passkey, a session. */
import { html, type Markup, type TemplateValue } from "../../shared/html.ts"

export interface Item {
  readonly picture?: Markup
  readonly name: TemplateValue
  readonly hint: TemplateValue
  /** The form of the row, or a sign. */
  readonly action?: Markup | undefined
}

export function itemList(items: readonly Item[]): Markup {
  return html`<ul class="items">
${items.map(
  ({ picture, name, hint, action }) =>
    html`<li class="item">${picture}<div><strong>${name}</strong><span class="hint">${hint}</span></div>${action}</li>\n`,
)}</ul>`
}
