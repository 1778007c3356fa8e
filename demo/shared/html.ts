/** HTML in which everything that is put into a template is escaped. */

/** What a template may hold. Nothing is printed for undefined and false. */
export type TemplateValue = string | number | Markup | undefined | false | readonly TemplateValue[]

/** HTML that is ready to be sent. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Template tag that escapes its holes, for text and for quoted values of attributes. */
export function html(literals: TemplateStringsArray, ...holes: readonly TemplateValue[]): Markup {
  return new Markup(literals.map((literal, index) => literal + renderValue(holes[index])).join(""))
}

function renderValue(hole: TemplateValue): string {
  if (hole === undefined || hole === false) return ""
  if (hole instanceof Markup) return hole.text
  if (typeof hole === "object") return hole.map(renderValue).join("")
  return String(hole).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
