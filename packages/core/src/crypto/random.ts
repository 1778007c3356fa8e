import { primitives } from "../runtime/platform.ts"

/** Returns 32 random bytes as 64 lower-case hex characters. */
export function randomHex(): string {
  return primitives.encode(primitives.randomBytes(32), "hex")
}

/** Returns 32 random bytes as 43 characters of base64url. */
export function randomToken(): string {
  return primitives.encode(primitives.randomBytes(32), "base64url")
}

/** Compares two texts in a time that depends only on their lengths. */
export function timingSafeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
