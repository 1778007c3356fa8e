/** Base64url, as browsers send it (RFC 4648 section 5), and base64, as databases store it. */
import { encodeBase64Url } from "../../runtime/base64url.ts"

/** Converts base64url to base64 with padding. */
export function base64UrlToBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

/** Converts base64 to base64url without padding. */
export function base64ToBase64Url(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** Decodes base64 or base64url. Throws DOMException for anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64UrlToBase64(text)), (character) => character.charCodeAt(0))
}

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return base64UrlToBase64(encodeBase64Url(bytes))
}
