/** The colours of the e-mail with a sign-in link: those of the pages, as far as mail clients know them. */
import { type Color, isBrowserColor, parseColor } from "../theme/color.ts"
import { createBrandPalette, createPalette, type Palette } from "../theme/palette.ts"
import type { Theme } from "../theme/theme.ts"

/** Returns the colours by role. Mail clients know hex colours and names; others are ignored. */
export function createEmailPalette(
  scheme: "light" | "dark",
  { brandColor, brandColorDark, buttonText }: Theme,
): Palette {
  const brand = parseEmailColor((scheme === "dark" && brandColorDark) || brandColor)
  const text = parseEmailColor(scheme === "dark" && brandColorDark ? "" : buttonText)
  if (brand === undefined) return createPalette(scheme, text)
  return { ...createPalette(scheme), ...createEmailButtonPalette(scheme, brand, text) }
}

function parseEmailColor(value: string | undefined): Color | undefined {
  const color = parseColor(value)
  if (color === undefined || !isBrowserColor(color)) return color
  const name = value?.trim() ?? ""
  return /^[a-z]+$/i.test(name) ? name : undefined
}

function createEmailButtonPalette(
  scheme: "light" | "dark",
  brand: Color,
  text: Color | undefined,
): Palette {
  // The contrast of a name is not known here, and its shades are expressions that only browsers know.
  if (isBrowserColor(brand))
    return { "brand-color": brand, "brand-hover": brand, "button-text-color": text ?? "#ffffff" }
  const isHex = text !== undefined && !isBrowserColor(text)
  const theme = { brandColor: brand, ...(isHex && { buttonText: text }) }
  return {
    ...createBrandPalette(scheme, theme),
    ...(text !== undefined && !isHex && { "button-text-color": text }),
  }
}
