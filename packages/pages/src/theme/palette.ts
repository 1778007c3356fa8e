/** The colours of the pages by role. The contrast of text is at least 4.5, that of the edges of fields at least 3. */

import { type Color, parseColor } from "./color.ts"
import {
  contrastRatio,
  darken,
  ensureContrast,
  hoverColor,
  lighten,
  readableTextColor,
} from "./contrast.ts"
import type { Theme } from "./theme.ts"

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

/** The main button and the focus ring in the brand colour. */
export interface BrandPalette {
  readonly "brand-color": Color
  readonly "brand-hover": Color
  readonly "button-text-color": Color
  readonly focus: Color
}

// The relative luminance of colours with a contrast of 3 to all backgrounds of a focus ring, light and dark.
const maxFocusLuminance = 0.25
const minFocusLuminance = 0.16

/** The configured colour of the main button, and the shade of it on which the text can be read. */
interface ButtonColors {
  readonly configured: Color
  readonly brand: Color
  readonly text: Color
}

/** Returns the colours of the main button, or undefined if the theme has no brand colour. */
export function resolveButtonColors(
  scheme: "light" | "dark",
  theme: Theme,
): ButtonColors | undefined {
  const darkColor = scheme === "dark" ? parseColor(theme.brandColorDark) : undefined
  const configured = darkColor ?? parseColor(theme.brandColor)
  if (configured === undefined) return undefined
  const configuredText = darkColor ? undefined : parseColor(theme.buttonText)
  const text = configuredText ?? readableTextColor(configured)
  return { configured, brand: ensureContrast(configured, text), text }
}

/** Returns the palette of a theme's brand in a colour scheme, or undefined if it has none. */
export function createBrandPalette(
  scheme: "light" | "dark",
  theme: Theme,
): BrandPalette | undefined {
  const colors = resolveButtonColors(scheme, theme)
  if (!colors) return undefined
  const { brand, text } = colors
  return {
    "brand-color": brand,
    "brand-hover": hoverColor(brand, text),
    "button-text-color": text,
    focus:
      scheme === "light" ? darken(brand, maxFocusLuminance) : lighten(brand, minFocusLuminance),
  }
}

/** Returns the colours of a provider's mark in its brand colour. */
export function createMarkPalette(brand: Color): Palette {
  return { mark: brand, "mark-text": readableTextColor(brand) }
}
