/** Base32 without padding (RFC 4648 section 6). */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** Encodes bytes. */
export function encodeBase32(bytes: Uint8Array): string {
  let bits = 0
  let bitCount = 0
  let text = ""
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (bitCount += 8; bitCount >= 5; bitCount -= 5)
      text += alphabet.charAt((bits >> (bitCount - 5)) & 31)
  }
  return bitCount === 0 ? text : text + alphabet.charAt((bits << (5 - bitCount)) & 31)
}

/** Decodes text that `encodeBase32` wrote. */
export function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  let bits = 0
  let bitCount = 0
  for (const character of text) {
    bits = ((bits << 5) | alphabet.indexOf(character)) & 0xfff
    bitCount += 5
    if (bitCount < 8) continue
    bitCount -= 8
    bytes.push((bits >> bitCount) & 255)
  }
  return Uint8Array.from(bytes)
}
