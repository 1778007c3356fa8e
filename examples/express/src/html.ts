/** HTML in which everything that is put into a template is escaped. */

/** What a template may hold. Nothing is printed for undefined, null and false. */
type TemplateValue = string | Markup | undefined | null | false

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
  if (hole instanceof Markup) return hole.text
  return (hole || "").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
