/** HTML templates that escape every value. */

/** A value in a template. Undefined and false render nothing. */
export type TemplateValue = string | number | Markup | undefined | false | readonly TemplateValue[]

/** HTML that needs no escaping. */
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
  if (hole === undefined || hole === false) return ""
  if (hole instanceof Markup) return hole.text
  if (typeof hole === "object") return hole.map(renderValue).join("")
  return String(hole).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
