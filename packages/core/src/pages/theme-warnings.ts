/** What of a theme the pages leave out. */
import { type ConfigWarning, describeValue } from "../config/option-check.ts"
import type { Theme } from "../types.ts"
import { parseThemeImage } from "./images.ts"
import { parseColor } from "./parse-color.ts"

const colorSchemes: readonly unknown[] = [undefined, "auto", "dark", "light"]
const expectedColor = "a CSS colour: hex, a name, or rgb() and hsl() of plain numbers"

/** Advice for what a theme holds that is no colour or image. An empty text means the default. */
export function findThemeWarnings({
  colorScheme,
  logo,
  brandColor,
  buttonText,
}: Theme): ConfigWarning[] {
  const fields: [name: keyof Theme, value: unknown, used: boolean, kind: string][] = [
    ["colorScheme", colorScheme, colorSchemes.includes(colorScheme), '"auto", "dark" or "light"'],
    ["logo", logo, parseThemeImage(logo) !== undefined, "a path, a data URL or an https URL"],
    ["brandColor", brandColor, parseColor(brandColor) !== undefined, expectedColor],
    ["buttonText", buttonText, parseColor(buttonText) !== undefined, expectedColor],
  ]
  return fields
    .filter(([, value, isUsed]) => !isUsed && (value ?? "") !== "")
    .map(([name, value, , expectedKind]) => ({
      type: "IgnoredOption",
      option: `theme.${name}`,
      expected: `\`theme.${name}\` to be ${expectedKind}`,
      received: describeValue(value),
      hint: "The pages have their own look instead: write it as expected, or leave it out.",
    }))
}
