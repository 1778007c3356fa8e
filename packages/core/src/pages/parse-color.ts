/** Colours that an application wrote, read strictly: what is printed is never the text that was written. */
import { type Color, mixColors, type Rgb, toColor } from "./color.ts"
import { namedColors } from "./named-colors.ts"

const maxLength = 64
const hexPattern = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const functionPattern = /^(rgb|hsl)a?\(([\d.,%/\s+a-z-]+)\)$/
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:%|deg)?$/

/**
 * Reads a CSS colour: hex, a name, or `rgb()` and `hsl()` of plain numbers (CSS Color 4). What is
 * translucent is laid on white, because the contrast of text on it has to be known.
 * @returns undefined for anything else
 */
export function parseColor(text: string | undefined): Color | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined
  const value = text.trim().toLowerCase()
  return parseHex(namedColors.get(value) ?? value) ?? parseColorFunction(value)
}

function parseHex(value: string): Color | undefined {
  if (!hexPattern.test(value)) return undefined
  const digits = value.length < 6 ? value.slice(1).replace(/./g, "$&$&") : value.slice(1)
  const alpha = digits.length === 8 ? Number.parseInt(digits.slice(6), 16) / 255 : 1
  return mixColors("#ffffff", `#${digits.slice(0, 6)}`, alpha)
}

function parseColorFunction(value: string): Color | undefined {
  const [, name, list = ""] = functionPattern.exec(value) ?? []
  const parts = list.trim().split(/\s*[,/]\s*|\s+/)
  if (parts.length > 4 || !parts.every((part) => numberPattern.test(part))) return undefined
  const [first, second, third, alpha = "1"] = parts
  if (first === undefined || second === undefined || third === undefined) return undefined
  const opaque = name === "rgb" ? parseRgb(first, second, third) : parseHsl(first, second, third)
  return mixColors("#ffffff", toColor(opaque), parseFraction(alpha))
}

function parseRgb(...parts: [string, string, string]): Rgb {
  const channel = (part: string) =>
    part.endsWith("%") ? parseFraction(part) * 255 : Number.parseFloat(part)
  const [red, green, blue] = parts
  return [channel(red), channel(green), channel(blue)]
}

/** CSS Color 4 section 7.1. */
function parseHsl(hue: string, saturation: string, lightness: string): Rgb {
  const s = parsePercentage(saturation)
  const l = parsePercentage(lightness)
  const turn = ((Number.parseFloat(hue) % 360) + 360) % 360
  const channel = (offset: number) => {
    const k = (offset + turn / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** 0 to 1, written so or as a percentage. */
function parseFraction(part: string): number {
  return part.endsWith("%")
    ? parsePercentage(part)
    : Math.min(1, Math.max(0, Number.parseFloat(part)))
}

/** 0 to 1, written 0 to 100 with or without a percent sign. */
function parsePercentage(part: string): number {
  return Math.min(1, Math.max(0, Number.parseFloat(part) / 100))
}
