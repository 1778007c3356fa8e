/** When Redis removes keys. */

/** Returns how long to keep something with this expiry, in milliseconds from now, as text. */
export function computeLifetime(expires: Date, keepExpired: number): string {
  return String(Math.max(expires.getTime() - Date.now(), 0) + keepExpired)
}

/** Returns the expiry before which everything is removed, in milliseconds since 1970, as text. */
export function computeRemovalThreshold(keepExpired: number): string {
  return String(Date.now() - keepExpired)
}
