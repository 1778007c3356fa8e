/** What of a theme the pages leave out. */
import { type Advice, described } from "../config/rule.ts"
import type { Theme } from "../types.ts"
import { chosenImage } from "./images.ts"
import { parseColor } from "./parse-color.ts"

const schemes: readonly unknown[] = [undefined, "auto", "dark", "light"]
const color = "a CSS colour: hex, a name, or rgb() and hsl() of plain numbers"

/** Advice for what a theme holds that is no colour or image. An empty text means the default. */
export function themeAdvice({ colorScheme, logo, brandColor, buttonText }: Theme): Advice[] {
  const fields: [name: keyof Theme, value: unknown, used: boolean, kind: string][] = [
    ["colorScheme", colorScheme, schemes.includes(colorScheme), '"auto", "dark" or "light"'],
    ["logo", logo, chosenImage(logo) !== undefined, "a path, a data URL or an https URL"],
    ["brandColor", brandColor, parseColor(brandColor) !== undefined, color],
    ["buttonText", buttonText, parseColor(buttonText) !== undefined, color],
  ]
  return fields
    .filter(([, value, used]) => !used && (value ?? "") !== "")
    .map(([name, value, , kind]) => ({
      type: "IgnoredOption",
      option: `theme.${name}`,
      expected: `\`theme.${name}\` to be ${kind}`,
      came: described(value),
      hint: "The pages have their own look instead: write it as expected, or leave it out.",
    }))
}
