/** When an access token expires (RFC 6749 section 5.1). */

/** Lifetimes from here on, in seconds, are no lifetimes: 317 years. */
const maxLifetime = 1e10

/** Returns the end of a lifetime in whole seconds since 1970; undefined for anything but a lifetime in seconds. */
export function computeExpiresAt(lifetime: unknown): number | undefined {
  const seconds = typeof lifetime === "string" ? Number(lifetime) : lifetime
  const isLifetime = typeof seconds === "number" && seconds > 0 && seconds < maxLifetime
  return isLifetime ? Math.floor(Date.now() / 1000 + seconds) : undefined
}
