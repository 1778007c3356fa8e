/** The two ways in which bytes are text: base64url on the wire (RFC 4648 section 5), base64 in the database. */
import { primitives } from "#primitives"

/** From base64url to base64 with its padding. */
export function base64UrlToBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

/** From base64 to base64url, which has no padding. */
export function base64ToBase64Url(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** The bytes of base64. Throws DOMException for anything else. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return base64UrlToBase64(primitives.toBase64Url(bytes))
}
