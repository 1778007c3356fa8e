/** Colours that an application configured. */

/** An opaque colour in CSS: `#rrggbb`, or an expression whose value only the browser knows. */
export type Color = string

const maxLength = 64
const hexPattern = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const cssPattern =
  /^(?!transparent$|currentcolor$)(?:[a-z]+|(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([\w.,%/\s+-]+\))$/

/**
 * Parses a CSS colour. Translucent colours are blended with white, because the contrast of text on them must not depend
 * on the colour scheme. Names and functions such as `hsl()` are left to the browser; nothing that could end the
 * declaration is accepted.
 * @returns undefined if the text cannot be a colour
 */
export function parseColor(text: string | undefined): Color | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined
  const value = text.trim().toLowerCase()
  if (hexPattern.test(value)) return parseHex(value.slice(1))
  if (!cssPattern.test(value)) return undefined
  const [red, green, blue] = ["r", "g", "b"].map((name) => `calc(${name}*alpha + 1 - alpha)`)
  return `color(from ${value} srgb ${red} ${green} ${blue}/1)`
}

/** Whether only the browser knows the value of the colour. */
export function isBrowserColor(color: Color): boolean {
  return !color.startsWith("#")
}

/** Mixes a fraction, 0 to 1, of the second colour into the first. Both are `#rrggbb`. */
export function mixColors(base: Color, other: Color, fraction: number): Color {
  const others = parseChannels(other)
  const mixed = parseChannels(base).map((channel, index) =>
    Math.round(channel + ((others[index] ?? channel) - channel) * fraction),
  )
  return toHex(mixed)
}

function parseHex(digits: string): Color {
  const full = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits
  const alpha = full.length === 8 ? Number.parseInt(full.slice(6), 16) / 255 : 1
  return mixColors("#ffffff", `#${full.slice(0, 6)}`, alpha)
}

/** Relative luminance, as WCAG 2.2 defines it. */
export function relativeLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = parseLinear(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns red, green and blue in proportion to their light, each 0 to 1. */
export function parseLinear(color: Color): number[] {
  return parseChannels(color).map((channel) => {
    const fraction = channel / 255
    return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4
  })
}

/** Returns the colour of red, green and blue, each an integer of 0 to 255. */
export function toHex(channels: readonly number[]): Color {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`
}

/** Returns red, green and blue, each 0 to 255. */
function parseChannels(color: Color): number[] {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
