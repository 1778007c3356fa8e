import { primitives } from "#primitives"

/** 32 random bytes as 64 lower-case hex characters. */
export function randomHex(): string {
  const bytes = primitives.randomBytes(32)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** 32 random bytes as 43 characters of base64url. */
export function randomToken(): string {
  return primitives.toBase64Url(primitives.randomBytes(32))
}

/** Compares two texts in a time that depends on their lengths only. */
export function timingSafeEqual(a: string, b: string): boolean {
  return primitives.timingSafeEqual(a, b)
}
