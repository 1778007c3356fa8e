/** Checks the lengths and fonts of a theme: nothing may end their declarations or load a file. */

const radiusPattern = /^(?:0|(?:\d{1,3}|\d{0,3}\.\d{1,4})(?:px|r?em))$/
const familyPattern =
  /^(?:"[\p{L}\p{N} ._-]+"|'[\p{L}\p{N} ._-]+'|\p{L}[\p{L}\p{N}_-]*(?: \p{L}[\p{L}\p{N}_-]*)*)$/u
const maxFontFamilyLength = 200

/** Returns a CSS length in px, em or rem, or undefined if the text is none. */
export function parseRadius(text: string | undefined): string | undefined {
  return typeof text === "string" && radiusPattern.test(text.trim()) ? text.trim() : undefined
}

/** Returns a CSS list of font families, or undefined if the text is none. */
export function parseFontFamily(text: string | undefined): string | undefined {
  if (typeof text !== "string" || text.length > maxFontFamilyLength) return undefined
  const families = text.split(",").map((family) => family.trim())
  return families.every((family) => familyPattern.test(family)) ? families.join(",") : undefined
}
