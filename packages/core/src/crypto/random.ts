import { primitives } from "#primitives"
import { toHex } from "./digest.ts"

/** Returns 32 random bytes as 64 lower-case hex characters. */
export function randomHex(): string {
  return toHex(primitives.randomBytes(32))
}

/** Returns 32 random bytes as 43 characters of base64url. */
export function randomToken(): string {
  return primitives.toBase64Url(primitives.randomBytes(32))
}

/** Compares two texts in a time that depends only on their lengths. */
export function timingSafeEqual(a: string, b: string): boolean {
  return primitives.timingSafeEqual(a, b)
}
