/** The icons of providers: a logo that is drawn in the page, an image, or letters on the brand colour. */

import { html, type Markup, renderAttributes } from "../html.ts"
import { parseColor } from "../theme/color.ts"
import { createBrandColorClass } from "../theme/stylesheet.ts"
import { formIcons } from "./icons.ts"
import type { PageProvider } from "./page-provider.ts"
import type { ProviderLogo } from "./provider-logo.ts"
import { parseLocalImage } from "./urls.ts"

/** Renders the icon of each provider. */
export async function renderProviderIcons(
  providers: readonly PageProvider[],
): Promise<ReadonlyMap<PageProvider, Markup>> {
  const icons = await Promise.all(
    providers.map(({ type, style }) =>
      type === "oauth" || type === "oidc" ? renderLogo(style) : formIcons[type],
    ),
  )
  const letterCounts = new Map<string, number>()
  for (const [index, { name }] of providers.entries()) {
    const letter = getFirstLetter(name)
    if (!icons[index]) letterCounts.set(letter, (letterCounts.get(letter) ?? 0) + 1)
  }
  return new Map(
    providers.map((provider, index) => [
      provider,
      icons[index] ?? renderLetters(provider, letterCounts, createBrandColorClass(index)),
    ]),
  )
}

type LoadLogo = NonNullable<NonNullable<PageProvider["style"]>["loadLogo"]>

/** The drawings by the function that loads their logo: an `import()` takes time even if the module is loaded. */
const drawings = new WeakMap<LoadLogo, Markup>()

async function renderLogo(style: PageProvider["style"]): Promise<Markup | undefined> {
  const image = parseLocalImage(style?.logo)
  if (image) {
    return html`<span class="mark picture"><img src="${image.src}" alt="" width="18" height="18"></span>`
  }
  const loadLogo = style?.loadLogo
  if (!loadLogo) return undefined
  try {
    const drawing = drawings.get(loadLogo) ?? renderDrawing((await loadLogo()).logo)
    drawings.set(loadLogo, drawing)
    return drawing
  } catch {
    return undefined // a page with letters is better than none
  }
}

function renderDrawing({ size = 24, paths }: ProviderLogo): Markup {
  const shapes = paths.map(({ fill, d }) => html`<path${renderAttributes({ fill, d })}/>`)
  const attributes = renderAttributes({
    class: paths.length > 1 ? "glyph colors" : "glyph",
    viewBox: `0 0 ${size} ${size}`,
    width: "20",
    height: "20",
    "aria-hidden": "true",
  })
  return html`<svg${attributes}>${shapes}</svg>`
}

function renderLetters(
  { name, style }: PageProvider,
  letterCounts: ReadonlyMap<string, number>,
  brandColorClass: string,
): Markup {
  const classes = parseColor(style?.brandColor) ? `mark ${brandColorClass}` : "mark"
  return html`<span class="${classes}" aria-hidden="true">${createInitials(name, letterCounts)}</span>`
}

/** Returns the first letter of a name, or two letters if another name begins with the same one. */
function createInitials(name: string, letterCounts: ReadonlyMap<string, number>): string {
  const first = getFirstLetter(name)
  if (letterCounts.get(first) === 1) return first
  const [word = "", nextWord] = name.trim().split(/\s+/)
  return first + (nextWord ? getFirstLetter(nextWord) : (Array.from(word)[1] ?? ""))
}

function getFirstLetter(text: string): string {
  return (Array.from(text.trim())[0] ?? "•").toUpperCase()
}
