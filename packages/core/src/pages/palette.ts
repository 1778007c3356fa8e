/** The colours of the pages by role. The contrast of text is at least 4.5, that of the edges of fields at least 3. */
import { type Color, contrastRatio, hoverColor, readableTextColor } from "./color.ts"

/** Custom properties without their dashes. */
export type Palette = Readonly<Record<string, Color>>

const colorsByRole: Readonly<Record<string, readonly [light: Color, dark: Color]>> = {
  canvas: ["#f6f6f7", "#0d0d10"],
  card: ["#ffffff", "#16161a"],
  text: ["#1a1a1f", "#ededf1"],
  muted: ["#5c5c68", "#a2a2ae"],
  hairline: ["#e5e5ea", "#26262c"],
  edge: ["#d6d6dc", "#37373f"],
  hover: ["#f2f2f5", "#1f1f25"],
  field: ["#ffffff", "#101013"],
  "field-edge": ["#8a8a96", "#72727e"],
  placeholder: ["#6e6e7a", "#8c8c98"],
  focus: ["#3f5fe0", "#8ea6ff"],
  "error-text": ["#96201b", "#ffb9b3"],
  "error-edge": ["#f3cdc9", "#5a2a2a"],
  "error-fill": ["#fdf3f2", "#2a1618"],
  mark: ["#e9e9ee", "#2d2d35"],
  "mark-text": ["#3b3b45", "#dcdce3"],
  "brand-color": ["#1f1f25", "#ededf1"],
  "brand-hover": ["#3a3a44", "#ffffff"],
  "button-text-color": ["#ffffff", "#131317"],
}

/**
 * Returns the palette of a colour scheme. A text colour without a brand colour is used if it can be read on the button.
 */
export function createPalette(scheme: "light" | "dark", buttonText?: Color): Palette {
  const index = scheme === "light" ? 0 : 1
  const entries = Object.entries(colorsByRole).map(([role, colors]) => [role, colors[index]])
  const palette: Palette = Object.fromEntries(entries)
  const isReadable = buttonText && contrastRatio(buttonText, palette["brand-color"] ?? "") >= 4.5
  return isReadable ? { ...palette, "button-text-color": buttonText } : palette
}

/** Returns the colours of the main button in a brand colour. */
export function createButtonPalette(brand: Color, text: Color = readableTextColor(brand)): Palette {
  const hover = hoverColor(brand, text)
  return { "brand-color": brand, "brand-hover": hover, "button-text-color": text }
}

/** Returns the colours of a provider's mark in its brand colour. */
export function createMarkPalette(brand: Color): Palette {
  return { mark: brand, "mark-text": readableTextColor(brand) }
}
