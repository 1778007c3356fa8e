/** The colours of the pages by role. Text has 4.5 to 1 and more on what it stands on, edges of fields 3. */
import type { Theme } from "../types.ts"
import { type Color, contrastRatio, mixColors, readableTextColor } from "./color.ts"
import { parseColor } from "./parse-color.ts"

/** Custom properties, without their dashes. */
export type Palette = Readonly<Record<string, Color>>

/** The palette of light pages. */
export const lightPalette: Palette = {
  canvas: "#f6f6f7",
  card: "#ffffff",
  text: "#1a1a1f",
  muted: "#5c5c68",
  hairline: "#e5e5ea",
  edge: "#d6d6dc",
  hover: "#f2f2f5",
  field: "#ffffff",
  "field-edge": "#8a8a96",
  placeholder: "#6e6e7a",
  focus: "#3f5fe0",
  "error-text": "#96201b",
  "error-edge": "#f3cdc9",
  "error-fill": "#fdf3f2",
  mark: "#e9e9ee",
  "mark-text": "#3b3b45",
  "brand-color": "#1f1f25",
  "brand-hover": "#3a3a44",
  "button-text-color": "#ffffff",
}

/** The palette of dark pages. */
export const darkPalette: Palette = {
  canvas: "#0d0d10",
  card: "#16161a",
  text: "#ededf1",
  muted: "#a2a2ae",
  hairline: "#26262c",
  edge: "#37373f",
  hover: "#1f1f25",
  field: "#101013",
  "field-edge": "#72727e",
  placeholder: "#8c8c98",
  focus: "#8ea6ff",
  "error-text": "#ffb9b3",
  "error-edge": "#5a2a2a",
  "error-fill": "#2a1618",
  mark: "#2d2d35",
  "mark-text": "#dcdce3",
  "brand-color": "#ededf1",
  "brand-hover": "#ffffff",
  "button-text-color": "#131317",
}

/** What the theme changes of a palette. */
export function applyTheme(palette: Palette, theme: Theme): Palette {
  const brand = parseColor(theme.brandColor)
  const buttonText = parseColor(theme.buttonText)
  if (brand) {
    const text = buttonText ?? readableTextColor(brand)
    return {
      ...palette,
      "brand-color": brand,
      "brand-hover": hoverColor(brand, text),
      "button-text-color": text,
    }
  }
  // Chosen for one of the two grounds that the default buttons have, it may vanish on the other.
  const isReadable =
    buttonText && contrastRatio(buttonText, palette["brand-color"] ?? buttonText) >= 4.5
  return isReadable ? { ...palette, "button-text-color": buttonText } : palette
}

/** The mark of a provider in its own colour. */
export function createIconPalette(brand: Color): Palette {
  return { mark: brand, "mark-text": readableTextColor(brand) }
}

/** A shade away from the text, or towards it, where there is contrast to spare. */
function hoverColor(brand: Color, text: Color): Color {
  const target = contrastRatio(brand, text) > 12 ? text : readableTextColor(text)
  return mixColors(brand, target, 0.14)
}
