/** Colours and the contrast between them (WCAG 2.2). */

/** A colour as `#rrggbb`. */
export type Color = `#${string}`

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The contrast of two colours, 1 to 21. */
export function contrastRatio(a: Color, b: Color): number {
  const [dark = 0, light = 0] = [relativeLuminance(a), relativeLuminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever reads better on the colour: never under 4.5 to 1. */
export function readableTextColor(color: Color): Color {
  return contrastRatio(color, "#ffffff") >= contrastRatio(color, "#000000") ? "#ffffff" : "#000000"
}

/** The first colour with a share, 0 to 1, of the second. */
export function mixColors(base: Color, other: Color, fraction: number): Color {
  const [r, g, b] = parseChannels(base)
  const [r2, g2, b2] = parseChannels(other)
  const blend = (from: number, to: number) => from + (to - from) * fraction
  return toColor([blend(r, r2), blend(g, g2), blend(b, b2)])
}

/** Brings channels into range and writes them as a colour. */
export function toColor(rgb: Rgb): Color {
  const digits = rgb.map((channel) => {
    const whole = Math.round(Math.min(255, Math.max(0, channel)))
    return whole.toString(16).padStart(2, "0")
  })
  return `#${digits.join("")}`
}

/** Relative luminance, as WCAG 2.2 defines it. */
function relativeLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = parseChannels(color).map((channel) => {
    const fraction = channel / 255
    return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parseChannels(color: Color): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
