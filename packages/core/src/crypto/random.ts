import { base64url } from "jose"
import { encodeUtf8, equalBytes, toHex } from "../runtime/primitives.web.ts"

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32))
}

/** Returns 32 random bytes as 64 lower-case hex characters. */
export function randomHex(): string {
  return toHex(randomBytes())
}

/** Returns 32 random bytes as 43 characters of base64url. */
export function randomToken(): string {
  return base64url.encode(randomBytes())
}

/** Compares two texts in a time that depends only on their lengths. */
export function timingSafeEqual(a: string, b: string): boolean {
  return equalBytes(encodeUtf8(a), encodeUtf8(b))
}
