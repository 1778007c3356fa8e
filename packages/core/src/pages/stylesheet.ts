/** The one style sheet of a page, and its hash for the policy that allows no other. */
import { sha256Base64Url } from "../crypto/digest.ts"
import type { Theme } from "../types.ts"
import type { Color } from "./color.ts"
import { dark, light, type Palette, themed, tint } from "./palette.ts"
import { base } from "./style-base.ts"
import { controls } from "./style-controls.ts"
import { fields } from "./style-fields.ts"
import { trace } from "./style-trace.ts"

/** Text of a style sheet and its hash as a source of `style-src` (CSP 3). */
export interface Stylesheet {
  readonly text: string
  readonly source: string
}

/** Gives the style sheet for the brand colours of the providers on a page, and for a trace if it has one. */
export type Stylesheets = (tints: readonly Color[], traced?: boolean) => Promise<Stylesheet>

const MAX_KEPT = 16

/** Creates the style sheets of a theme; the latest are kept. */
export function createStylesheets(theme: Theme): Stylesheets {
  const common = compact(ground(theme) + base + controls + fields)
  const kept = new Map<string, Promise<Stylesheet>>()
  return (tints, traced = false) => {
    const name = `${tints.join()} ${traced}`
    const known = kept.get(name)
    if (known) return known
    const made = hashed(common + tints.map(tintRule).join("") + (traced ? compact(trace) : ""))
    kept.set(name, made)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return made
  }
}

/** The class of the mark that has the tint at an index. */
export function tintClass(index: number): string {
  return `p${index + 1}`
}

function tintRule(color: Color, index: number): string {
  return `.${tintClass(index)}{${properties(tint(color))}}`
}

function ground(theme: Theme): string {
  const day = properties(themed(light, theme))
  const night = properties(themed(dark, theme))
  if (theme.colorScheme === "light") return `:root{color-scheme:light;${day}}`
  if (theme.colorScheme === "dark") return `:root{color-scheme:dark;${night}}`
  return `:root{color-scheme:light dark;${day}}@media (prefers-color-scheme:dark){:root{${night}}}`
}

function properties(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}:${color};`)
    .join("")
}

/** Takes out line breaks and indentation. */
function compact(css: string): string {
  return css.replace(/\s*\n\s*/g, "")
}

async function hashed(text: string): Promise<Stylesheet> {
  const hash = (await sha256Base64Url(text)).replaceAll("-", "+").replaceAll("_", "/")
  return { text, source: `'sha256-${hash}='` }
}
