/** Colours that an application configured, and text that can be read on them (WCAG 2.2). */

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

/** Returns the contrast of two colours, 1 to 21, or NaN if only the browser knows one of them. */
export function contrastRatio(a: Color, b: Color): number {
  if (isBrowserColor(a) || isBrowserColor(b)) return Number.NaN
  const [dark = 0, light = 0] = [relativeLuminance(a), relativeLuminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns black or white, whichever has more contrast to the colour: always at least 4.5. */
export function readableTextColor(color: Color): Color {
  // Both have the same contrast to a colour with this luminance.
  const threshold = 0.1791
  if (!isBrowserColor(color)) return relativeLuminance(color) > threshold ? "#000000" : "#ffffff"
  // `y` of XYZ is the relative luminance. The factors are those of white, D65.
  const white = `clamp(0,(${threshold} - y)*1e6,1)`
  return `color(from ${color} xyz-d65 calc(.9505*${white}) ${white} calc(1.0891*${white}))`
}

/** Returns a shade of a background on which the text stays readable. */
export function hoverColor(background: Color, text: Color): Color {
  // This grey has a contrast of 4.5 to both black and white, and the luminance of the mix is in between.
  if (isBrowserColor(background) || isBrowserColor(text)) {
    return `color-mix(in srgb-linear,${background},#767676 14%)`
  }
  // Away from the text, or towards it if there is contrast to spare.
  const target = contrastRatio(background, text) > 12 ? text : readableTextColor(text)
  return mixColors(background, target, 0.14)
}

/** Mixes a fraction, 0 to 1, of the second colour into the first. Both are `#rrggbb`. */
function mixColors(base: Color, other: Color, fraction: number): Color {
  const others = parseChannels(other)
  const mixed = parseChannels(base).map((channel, index) => {
    const value = channel + ((others[index] ?? channel) - channel) * fraction
    return Math.round(value).toString(16).padStart(2, "0")
  })
  return `#${mixed.join("")}`
}

function parseHex(digits: string): Color {
  const full = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits
  const alpha = full.length === 8 ? Number.parseInt(full.slice(6), 16) / 255 : 1
  return mixColors("#ffffff", `#${full.slice(0, 6)}`, alpha)
}

/** Relative luminance, as WCAG 2.2 defines it. */
function relativeLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = parseChannels(color).map((channel) => {
    const fraction = channel / 255
    return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns red, green and blue, each 0 to 255. */
function parseChannels(color: Color): number[] {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
