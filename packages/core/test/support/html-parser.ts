/** Reads the HTML of the built-in pages, and refuses whatever they do not write. */

export interface HtmlElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  /** The text in it and in the elements within, in one line. */
  readonly text: string
}

const tagPattern = /<!DOCTYPE html>|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/gi
const attributePattern = / ([a-z-]+)(?:="([^"]*)")?/gi
const voidElements = new Set([
  "br",
  "meta",
  "link",
  "source",
  "input",
  "img",
  "path",
  "rect",
  "circle",
])

/** All elements in the order in which they open. Throws at anything that is not well formed. */
export function parseHtml(source: string): HtmlElement[] {
  const html = source.replaceAll("/>", ">").replace(/<script>.*?<\/script>/s, "<script></script>")
  const elements: { tag: string; attributes: Map<string, string>; text: string }[] = []
  const open: (typeof elements)[number][] = []
  let end = 0
  for (const match of html.matchAll(tagPattern)) {
    const text = html.slice(end, match.index)
    const isRawText = open.at(-1)?.tag === "style" && !text.includes("<")
    for (const element of open) element.text += isRawText ? text : decodeEntities(text)
    end = match.index + match[0].length
    const [, slash, tag, attributeSource = ""] = match
    if (!tag) continue
    if (slash) {
      if (open.pop()?.tag !== tag) throw new Error(`misplaced </${tag}>`)
      continue
    }
    const element = { tag, attributes: parseAttributes(attributeSource), text: "" }
    elements.push(element)
    if (!voidElements.has(tag)) open.push(element)
  }
  if (open.length > 0 || html.slice(end).trim() !== "") throw new Error("the document has no end")
  return elements.map((element) => ({ ...element, text: element.text.replace(/\s+/g, " ").trim() }))
}

/** What remains of a page when its texts and values are taken out. */
export function readHtmlShape(html: string): string[] {
  return parseHtml(html).map(({ tag, attributes }) => `${tag} ${[...attributes.keys()].join(" ")}`)
}

/** The elements of a tag whose attributes have these values. */
export function findElements(
  html: string,
  tag: string,
  attributes: Record<string, string> = {},
): HtmlElement[] {
  return parseHtml(html).filter(
    (element) =>
      element.tag === tag &&
      Object.entries(attributes).every(([name, value]) => element.attributes.get(name) === value),
  )
}

/** The only element of a tag whose attributes have these values. */
export function findElement(
  html: string,
  tag: string,
  attributes: Record<string, string> = {},
): HtmlElement {
  const [element, ...others] = findElements(html, tag, attributes)
  if (!element || others.length > 0) {
    throw new Error(
      `${others.length + (element ? 1 : 0)} ${tag} with ${JSON.stringify(attributes)}`,
    )
  }
  return element
}

/** The text of the style sheet. */
export function readStylesheet(html: string): string {
  return findElement(html, "style").text
}

function parseAttributes(attributeSource: string): Map<string, string> {
  const found = [...attributeSource.matchAll(attributePattern)].map(
    ([, name, value]): [string, string] => [name!, decodeEntities(value ?? "")],
  )
  const attributes = new Map(found)
  if (attributes.size !== found.length) throw new Error(`an attribute twice in ${attributeSource}`)
  return attributes
}

function decodeEntities(text: string): string {
  if (/[<>]/.test(text)) throw new Error(`stray bracket in ${text}`)
  return text.replace(/&(?:(amp|lt|gt|quot|#39);)?/g, (entity, name) => {
    if (!name) throw new Error(`stray ampersand in ${text}`)
    return { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }[name as string] ?? entity
  })
}
