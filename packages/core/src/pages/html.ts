/** HTML in which everything that is put into a template is escaped. */

/** What a template may hold. Nothing is printed for undefined and false. */
export type Hole = string | Markup | undefined | false | readonly Hole[]

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
export function html(literals: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  const text = literals.map((literal, index) => literal + print(holes[index]))
  return new Markup(text.join(""))
}

/** Prints attributes, each after a space. The names are printed as they are. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Markup {
  const printed = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return ""
    return value === true ? ` ${name}` : ` ${name}="${escaped(value)}"`
  })
  return new Markup(printed.join(""))
}

function print(hole: Hole): string {
  if (hole === undefined || hole === false) return ""
  if (hole instanceof Markup) return hole.text
  return isList(hole) ? hole.map(print).join("") : escaped(hole)
}

// `Array.isArray` does not narrow a readonly array.
function isList(hole: Hole): hole is readonly Hole[] {
  return Array.isArray(hole)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escaped(text: string): string {
  // `String`, because applications in JavaScript may hand in anything.
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? "")
}
