/** Rules for the options of a theme. Pages ignore what breaks them. */

import { parseThemeImage } from "../pages/urls.ts"
import { parseColor } from "./color.ts"
import { contrastRatio } from "./contrast.ts"
import { createPalette, resolveButtonColors } from "./palette.ts"
import type { Theme } from "./theme.ts"
import { parseFontFamily, parseRadius } from "./theme-values.ts"

/** A rule for an option. The context has the theme. */
export interface ThemeRule<Context = unknown> {
  readonly isValid: (value: unknown, context: Context) => boolean
  /** Completes the sentence "Expected `option` to be …". */
  readonly expected: string
  readonly hint: string | ((context: Context) => string)
  /** Describes the value that is not valid. */
  readonly describe?: (value: unknown, context: Context) => string
}

const colorRule = createRule((value) => parseColor(value) !== undefined, "a CSS colour")
const imageRule = createRule(
  (value) => parseThemeImage(value) !== undefined,
  "a path, a data URL or an https URL",
)

export const themeRules: Record<`theme.${Exclude<keyof Theme, "name">}`, ThemeRule> = {
  "theme.colorScheme": createRule(
    (value) => ["auto", "dark", "light"].includes(value),
    '"auto", "dark" or "light"',
  ),
  "theme.logo": imageRule,
  "theme.logoDark": imageRule,
  "theme.logoAlt": createRule(() => true, "a text"),
  "theme.favicon": imageRule,
  "theme.brandColor": colorRule,
  "theme.brandColorDark": colorRule,
  "theme.buttonText": colorRule,
  "theme.radius": createRule(
    (value) => parseRadius(value) !== undefined,
    'a length in px, em or rem, such as "4px", or "0"',
  ),
  "theme.fontFamily": createRule(
    (value) => parseFontFamily(value) !== undefined,
    'a list of the names of fonts, such as "Georgia, serif"',
  ),
}

/** Rules for colours that the pages adjust or replace, because text could not be read. */
export const contrastRules: Record<string, ThemeRule<{ readonly theme: Theme }>> = {
  "theme.brandColor": {
    isValid: (_, { theme }) => {
      const colors = resolveButtonColors("light", theme)
      return colors?.brand === colors?.configured
    },
    expected: "a colour on which `theme.buttonText` has a contrast of at least 4.5",
    describe: (_, { theme: { brandColor, buttonText } }) =>
      `${brandColor} and ${buttonText}, with a contrast of ${formatContrast(brandColor, buttonText)}`,
    hint: ({ theme }) =>
      `The pages use ${resolveButtonColors("light", theme)?.brand} instead. ` +
      "Use that colour, or leave out `theme.buttonText`.",
  },
  "theme.buttonText": {
    isValid: (_, { theme }) => {
      const text = parseColor(theme.buttonText)
      if (text === undefined || parseColor(theme.brandColor)) return true
      const { colorScheme } = theme
      const schemes = (["light", "dark"] as const).filter((scheme) =>
        ["light", "dark"].includes(colorScheme ?? "") ? scheme === colorScheme : true,
      )
      return schemes.some((scheme) => createPalette(scheme, text)["button-text-color"] === text)
    },
    expected: "a hex colour with a contrast of at least 4.5 to the default button",
    hint: "The pages use the default instead. Set `theme.brandColor` as well, or leave it out.",
  },
}

/** An empty string selects the default. */
function createRule(isUsable: (value: string) => boolean, expected: string): ThemeRule {
  return {
    isValid: (value) => (value ?? "") === "" || (typeof value === "string" && isUsable(value)),
    expected,
    hint: "The pages use the default instead. Correct the option, or leave it out.",
  }
}

/** Rounds down, so that a contrast below the limit is not shown as the limit. */
function formatContrast(a: string | undefined, b: string | undefined): string {
  const ratio = contrastRatio(parseColor(a) ?? "", parseColor(b) ?? "")
  return String(Math.floor(ratio * 10) / 10)
}
