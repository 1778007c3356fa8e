/** Bytes, text as bytes, and bytes as text: base64url without padding (RFC 4648 section 5). */

export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // keeps a leading byte order mark
export const encodeUtf8 = (text: string): Bytes => encoder.encode(text)
export const decodeUtf8 = (bytes: BufferSource): string => decoder.decode(bytes)

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** Encodes bytes as base64url. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** Decodes base64url. Throws DOMException for other text. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Whether a text is base64url in its only valid spelling: unused bits are zero, so that no two tokens are equal. */
export function isBase64Url(text: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return false
  const rest = text.length % 4
  const last = text.charAt(text.length - 1)
  if (rest === 2) return "AQgw".includes(last)
  if (rest === 3) return "AEIMQUYcgkosw048".includes(last)
  return rest === 0
}
