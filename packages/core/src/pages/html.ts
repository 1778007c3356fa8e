/** HTML in which everything that is put into a template is escaped. */

/** What a template may hold. Nothing is printed for undefined and false. */
export type TemplateValue = string | Markup | undefined | false | readonly TemplateValue[]

/** A value of an attribute: true stands for its presence; it is left out for undefined and false. */
export type AttributeValue = string | boolean | undefined

/** HTML that is ready to be sent. A class, because no JSON and no query can be an instance of one. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Template tag that escapes its holes, for text and for quoted values of attributes. */
export function html(literals: TemplateStringsArray, ...values: readonly TemplateValue[]): Markup {
  const text = literals.map((literal, index) => literal + renderValue(values[index]))
  return new Markup(text.join(""))
}

/** Prints attributes, each after a space. The names are printed as they are. */
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
  return isList(value) ? value.map(renderValue).join("") : escapeHtml(value)
}

// `Array.isArray` does not narrow a readonly array.
function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escapeHtml(text: string): string {
  // `String`, because applications in JavaScript may hand in anything.
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? "")
}
