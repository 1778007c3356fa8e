/** Templates of HTML that escape every value. */

/** A value in a template. Undefined and false render nothing. */
export type TemplateValue = string | Markup | undefined | false | TemplateValue[]

/** The value of an attribute. True renders the name alone; undefined and false render nothing. */
export type AttributeValue = string | boolean | undefined

/** HTML that needs no escaping. A class, because nothing parsed from JSON or a query can be an instance of it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Template tag that escapes its values, for text and for quoted attribute values. */
export function html(literals: TemplateStringsArray, ...values: TemplateValue[]): Markup {
  const text = literals.map((literal, index) => literal + renderValue(values[index]))
  return new Markup(text.join(""))
}

/** Renders attributes, each after a space. Names are not escaped. */
export function renderAttributes(values: Readonly<Record<string, AttributeValue>>): Markup {
  const parts = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return ""
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`
  })
  return new Markup(parts.join(""))
}

function renderValue(value: TemplateValue): string {
  if (value === undefined || value === false) return ""
  if (value instanceof Markup) return value.text
  return Array.isArray(value) ? value.map(renderValue).join("") : escapeHtml(value)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escapeHtml(text: string): string {
  // `String`, because applications in JavaScript may pass other types.
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? "")
}
