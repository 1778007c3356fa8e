/** HTML templates that escape every value. */

/** A value in a template. Undefined, null and false render nothing. */
type TemplateValue = string | Markup | undefined | null | false

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Template tag that escapes its values, for text and for quoted attribute values. */
export function html(literals: TemplateStringsArray, ...holes: readonly TemplateValue[]): Markup {
  return new Markup(literals.map((literal, index) => literal + renderValue(holes[index])).join(""))
}

function renderValue(hole: TemplateValue): string {
  if (hole instanceof Markup) return hole.text
  // `String`, because fields of a form or query may be lists.
  return String(hole || "").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
