/** Base64url without padding (RFC 4648 section 5). */
import type { Bytes } from "./bytes.ts"

/** Encodes bytes as base64url. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** Decodes base64url. Throws DOMException for other text. */
export function decodeBase64Url(text: string): Bytes {
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
