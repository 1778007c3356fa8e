import fc from "fast-check"

const surrogateCount = 0x800

/**
 * Any character of Unicode, as with the unit `binary`. That one builds a map of a million characters in each process,
 * which takes longer than most properties.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogateCount })
  .map(toCharacter, toIndex)

/** Skips the surrogates, which are no characters. */
function toCharacter(index: number): string {
  return String.fromCodePoint(index < 0xd800 ? index : index + surrogateCount)
}

/** @throws TypeError for anything but one character, which tells fast-check that it cannot shrink the value */
function toIndex(value: unknown): number {
  const codePoint = typeof value === "string" ? value.codePointAt(0) : undefined
  if (
    codePoint === undefined ||
    String.fromCodePoint(codePoint) !== value ||
    isSurrogate(codePoint)
  )
    throw new TypeError("not one character")
  return codePoint < 0xd800 ? codePoint : codePoint - surrogateCount
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint < 0xd800 + surrogateCount
}
