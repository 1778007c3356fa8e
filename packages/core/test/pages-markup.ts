/** Reads the HTML of the built-in pages, and refuses whatever they do not write. */

export interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  /** The text in it and in the elements within, in one line. */
  readonly text: string
}

const token = /<!DOCTYPE html>|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/gi
const attribute = / ([a-z-]+)(?:="([^"]*)")?/gi
const unpaired = new Set(["meta", "input", "img", "path", "rect", "circle"])

/** All elements in the order in which they open. Throws at anything that is not well formed. */
export function read(source: string): Element[] {
  const html = source.replaceAll("/>", ">")
  const elements: { tag: string; attributes: Map<string, string>; text: string }[] = []
  const open: (typeof elements)[number][] = []
  let end = 0
  for (const match of html.matchAll(token)) {
    const text = html.slice(end, match.index)
    const raw = open.at(-1)?.tag === "style" && !text.includes("<")
    for (const element of open) element.text += raw ? text : decode(text)
    end = match.index + match[0].length
    const [, slash, tag, written = ""] = match
    if (!tag) continue
    if (slash) {
      if (open.pop()?.tag !== tag) throw new Error(`misplaced </${tag}>`)
      continue
    }
    const element = { tag, attributes: attributesOf(written), text: "" }
    elements.push(element)
    if (!unpaired.has(tag)) open.push(element)
  }
  if (open.length > 0 || html.slice(end).trim() !== "") throw new Error("the document has no end")
  return elements.map((element) => ({ ...element, text: element.text.replace(/\s+/g, " ").trim() }))
}

/** What remains of a page when its texts and values are taken out. */
export function shapeOf(html: string): string[] {
  return read(html).map(({ tag, attributes }) => `${tag} ${[...attributes.keys()].join(" ")}`)
}

/** The elements of a tag whose attributes have these values. */
export function all(html: string, tag: string, wanted: Record<string, string> = {}): Element[] {
  return read(html).filter(
    (element) =>
      element.tag === tag &&
      Object.entries(wanted).every(([name, value]) => element.attributes.get(name) === value),
  )
}

/** The only element of a tag whose attributes have these values. */
export function one(html: string, tag: string, wanted: Record<string, string> = {}): Element {
  const [element, ...others] = all(html, tag, wanted)
  if (!element || others.length > 0) {
    throw new Error(`${others.length + (element ? 1 : 0)} ${tag} with ${JSON.stringify(wanted)}`)
  }
  return element
}

/** The text of the style sheet. */
export function styleOf(html: string): string {
  return one(html, "style").text
}

function attributesOf(written: string): Map<string, string> {
  const found = [...written.matchAll(attribute)].map(([, name, value]): [string, string] => [
    name!,
    decode(value ?? ""),
  ])
  const attributes = new Map(found)
  if (attributes.size !== found.length) throw new Error(`an attribute twice in ${written}`)
  return attributes
}

function decode(text: string): string {
  if (/[<>]/.test(text)) throw new Error(`stray bracket in ${text}`)
  return text.replace(/&(?:(amp|lt|gt|quot|#39);)?/g, (entity, name) => {
    if (!name) throw new Error(`stray ampersand in ${text}`)
    return { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }[name as string] ?? entity
  })
}
