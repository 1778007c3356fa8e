/** Shades of colours on which text can be read, or that can be seen on the card (WCAG 2.2). */
import {
  type Color,
  isBrowserColor,
  mixColors,
  parseLinear,
  relativeLuminance,
  toHex,
} from "./color.ts"

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
  const away = relativeLuminance(background) < relativeLuminance(text) ? "#000000" : "#ffffff"
  const target = contrastRatio(background, text) > 12 ? text : away
  return mixColors(background, target, 0.14)
}

/** Returns a shade of the background on which the text has a contrast of at least 4.5. */
export function ensureContrast(background: Color, text: Color): Color {
  // NaN, if only the browser knows a colour: it cannot be checked.
  if (!(contrastRatio(background, text) < 4.5)) return background
  const luminance = relativeLuminance(text) + 0.05
  return readableTextColor(text) === "#000000"
    ? darken(background, luminance / 4.5 - 0.05)
    : lighten(background, luminance * 4.5 - 0.05)
}

/** Returns the colour, as much darker as necessary for a relative luminance of at most `limit`. */
export function darken(color: Color, limit: number): Color {
  if (isBrowserColor(color)) {
    const factor = `min(1,${limit}/y)`
    return `color(from ${color} xyz-d65 calc(x*${factor}) calc(y*${factor}) calc(z*${factor}))`
  }
  const factor = Math.min(1, limit / relativeLuminance(color))
  return fromLinear(parseLinear(color), (channel) => channel * factor, Math.floor)
}

/**
 * Returns the colour, as much lighter as necessary for a relative luminance of at least `limit`. White is mixed in only
 * as far as more light of the same hue is not enough.
 */
export function lighten(color: Color, limit: number): Color {
  if (isBrowserColor(color)) {
    const luminance = "(.2126*r + .7152*g + .0722*b)"
    // Small numbers keep black from dividing by zero.
    const scale = `clamp(1,${limit}/(${luminance} + 1e-6),1/max(r,g,b,1e-6))`
    const fraction = `max(0,(${limit} - ${luminance}*${scale})/(1 - ${luminance}*${scale} + 1e-6))`
    const channels = ["r", "g", "b"].map((name) => {
      const scaled = `${name}*${scale}`
      return `calc(${scaled} + (1 - ${scaled})*${fraction})`
    })
    return `color(from ${color} srgb-linear ${channels.join(" ")})`
  }
  const channels = parseLinear(color)
  const luminance = relativeLuminance(color)
  const scale = Math.max(1, Math.min(limit / luminance, 1 / Math.max(...channels, 1e-6)))
  const scaled = luminance * scale
  const fraction = scaled < limit ? (limit - scaled) / (1 - scaled) : 0
  return fromLinear(
    channels,
    (channel) => channel * scale + (1 - channel * scale) * fraction,
    Math.ceil,
  )
}

function fromLinear(
  channels: readonly number[],
  change: (channel: number) => number,
  round: (value: number) => number,
): Color {
  const encoded = channels.map(change).map((light) => {
    const fraction = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
    // An unchanged channel must not be rounded to its neighbour.
    return round(Math.round(fraction * 255e6) / 1e6)
  })
  return toHex(encoded)
}
