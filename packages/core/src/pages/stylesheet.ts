/** The one style sheet of a page, and its hash for the policy that allows no other. */
import { sha256Base64Url } from "../crypto/digest.ts"
import type { Theme } from "../types.ts"
import type { Color } from "./color.ts"
import {
  applyTheme,
  createIconPalette,
  darkPalette,
  lightPalette,
  type Palette,
} from "./palette.ts"
import { baseStyles } from "./style-base.ts"
import { controlStyles } from "./style-controls.ts"
import { errorReportStyles } from "./style-error-report.ts"
import { fieldStyles } from "./style-fields.ts"

/** Text of a style sheet and its hash as a source of `style-src` (CSP 3). */
export interface Stylesheet {
  readonly text: string
  readonly source: string
}

/** Gives the style sheet for the brand colours of the providers on a page, and for an error report if it has one. */
export type GetStylesheet = (
  brandColors: readonly Color[],
  hasErrorReport?: boolean,
) => Promise<Stylesheet>

const maxCachedStylesheets = 16

/** Creates the style sheets of a theme; the latest are kept. */
export function createStylesheetCache(theme: Theme): GetStylesheet {
  const common = minifyCss(createThemeRules(theme) + baseStyles + controlStyles + fieldStyles)
  const cache = new Map<string, Promise<Stylesheet>>()
  return (brandColors, hasErrorReport = false) => {
    const name = `${brandColors.join()} ${hasErrorReport}`
    const cached = cache.get(name)
    if (cached) return cached
    const stylesheet = hashStylesheet(
      common +
        brandColors.map(createBrandColorRule).join("") +
        (hasErrorReport ? minifyCss(errorReportStyles) : ""),
    )
    cache.set(name, stylesheet)
    const [oldest] = cache.keys()
    if (cache.size > maxCachedStylesheets && oldest !== undefined) cache.delete(oldest)
    return stylesheet
  }
}

/** The class of the mark that has the tint at an index. */
export function createBrandColorClass(index: number): string {
  return `p${index + 1}`
}

function createBrandColorRule(color: Color, index: number): string {
  return `.${createBrandColorClass(index)}{${renderProperties(createIconPalette(color))}}`
}

function createThemeRules(theme: Theme): string {
  const lightProperties = renderProperties(applyTheme(lightPalette, theme))
  const darkProperties = renderProperties(applyTheme(darkPalette, theme))
  if (theme.colorScheme === "light") return `:root{color-scheme:light;${lightProperties}}`
  if (theme.colorScheme === "dark") return `:root{color-scheme:dark;${darkProperties}}`
  return `:root{color-scheme:light dark;${lightProperties}}@media (prefers-color-scheme:dark){:root{${darkProperties}}}`
}

function renderProperties(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}:${color};`)
    .join("")
}

/** Takes out line breaks and indentation. */
function minifyCss(css: string): string {
  return css.replace(/\s*\n\s*/g, "")
}

async function hashStylesheet(text: string): Promise<Stylesheet> {
  const hash = (await sha256Base64Url(text)).replaceAll("-", "+").replaceAll("_", "/")
  return { text, source: `'sha256-${hash}='` }
}
