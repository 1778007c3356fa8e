/** The texts of the built-in pages in one language. */

import { html, Markup } from "../html.ts"
import { formatMessage } from "./format-message.ts"
import type { Language, MessageKey, MessageValues } from "./messages.ts"

export interface PageMessages {
  /** The language tag (BCP 47) for the attribute `lang`. */
  readonly languageTag: string
  readonly direction: "ltr" | "rtl"
  /** Returns a text for titles and attributes. */
  text<Key extends MessageKey>(key: Key, ...values: MessageValues<Key, string>): string
  /** Returns a text as HTML. Values are escaped, and their direction does not change that of the text around them. */
  markup<Key extends MessageKey>(key: Key, ...values: MessageValues<Key, string | Markup>): Markup
}

export function createPageMessages({ tag, direction = "ltr", messages }: Language): PageMessages {
  return {
    languageTag: tag,
    direction,
    text: (key, ...[values]) => formatMessage(messages[key], { ...values }).join(""),
    markup(key, ...[values]) {
      const entries = Object.entries<string | Markup>({ ...values })
      const isolated = entries.map(([name, value]) => [
        name,
        value instanceof Markup ? value : html`<bdi>${value}</bdi>`,
      ])
      return html`${formatMessage<Markup>(messages[key], Object.fromEntries(isolated))}`
    },
  }
}

/** Renders the value of a placeholder in bold. */
export function strong(value: string): Markup {
  return html`<strong><bdi>${value}</bdi></strong>`
}
