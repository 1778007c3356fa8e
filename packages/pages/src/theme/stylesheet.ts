/** The style sheet of a page, and its hash for a Content Security Policy that allows no other. */

import { errorReportStyles, pageStyles } from "../assets/assets.ts"
import { type Color, isBrowserColor, parseColor } from "./color.ts"
import { createBrandPalette, createMarkPalette, createPalette, type Palette } from "./palette.ts"
import type { Theme } from "./theme.ts"
import { parseFontFamily, parseRadius } from "./theme-values.ts"

/** The text of a style sheet, and its hash as a source of `style-src` (CSP 3). */
interface Stylesheet {
  readonly text: string
  readonly source: string
}

/**
 * Returns the style sheet for the brand colours of a page's providers, with or without the styles of an error report.
 */
export type GetStylesheet = (
  brandColors: readonly (Color | undefined)[],
  hasErrorReport?: boolean,
) => Promise<Stylesheet>

/** Creates the style sheets of a theme. There are few, because the configuration decides the brand colours. */
export function createStylesheetCache(theme: Theme): GetStylesheet {
  const common = createThemeRules(theme) + pageStyles
  const stylesheets = new Map<string, Stylesheet>()
  return async (brandColors, hasErrorReport = false) => {
    const markRules = brandColors.map((color, index) =>
      color ? createRule(`.${createBrandColorClass(index)}`, createMarkPalette(color)) : "",
    )
    const ownRules = markRules.join("") + (hasErrorReport ? errorReportStyles : "")
    const stylesheet = stylesheets.get(ownRules) ?? (await hashStylesheet(common + ownRules))
    stylesheets.set(ownRules, stylesheet)
    return stylesheet
  }
}

/** Returns the class of a mark in the brand colour at an index. */
export function createBrandColorClass(index: number): string {
  return `p${index + 1}`
}

function createThemeRules(theme: Theme): string {
  const { colorScheme } = theme
  const [light, dark] = [createSchemeRules("light", theme), createSchemeRules("dark", theme)]
  const shape = createShapeRule(theme)
  if (colorScheme === "light") return `:root{color-scheme:light}${light}${shape}`
  if (colorScheme === "dark") return `:root{color-scheme:dark}${dark}${shape}`
  return `:root{color-scheme:light dark}${light}@media (prefers-color-scheme:dark){${dark}}${shape}`
}

function createSchemeRules(scheme: "light" | "dark", theme: Theme): string {
  const brand = createBrandPalette(scheme, theme)
  const palette = createPalette(scheme, brand ? undefined : parseColor(theme.buttonText))
  return createRule(":root", palette) + (brand ? createRule(":root", { ...brand }) : "")
}

function createShapeRule(theme: Theme): string {
  const radius = parseRadius(theme.radius) ?? "0.625rem"
  const fontFamily = parseFontFamily(theme.fontFamily)
  return `:root{--radius:${radius};${fontFamily ? `font-family:${fontFamily},system-ui,sans-serif;` : ""}}`
}

/** Creates a rule that browsers ignore as a whole if they do not support one of its colours. */
function createRule(selector: string, palette: Palette): string {
  const rule = `${selector}{${renderProperties(palette)}}`
  const conditions = Object.values(palette).flatMap((color) =>
    isBrowserColor(color) ? `(color:${color})` : [],
  )
  return conditions.length > 0 ? `@supports ${conditions.join(" and ")}{${rule}}` : rule
}

function renderProperties(palette: Palette): string {
  const properties = Object.entries(palette).map(([name, color]) => `--${name}:${color};`)
  return properties.join("")
}

async function hashStylesheet(text: string): Promise<Stylesheet> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return { text, source: `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'` }
}
