/** A stored cookie (RFC 6265bis section 5.7). */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** The cookie's host. */
  readonly domain: string
  /** Whether the cookie is sent to that host only, because it had no Domain. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: SameSite
  /** Milliseconds since 1970; absent for session cookies. */
  readonly expires?: number
  /** The received `Set-Cookie` line. */
  readonly raw: string
}

/**
 * Which cross-site requests carry a cookie. `default` means that the attribute was absent, and has the effect of `lax`.
 */
export type SameSite = "strict" | "lax" | "none" | "default"

/** A parsed `Set-Cookie` line. */
export interface ParsedCookie {
  readonly name: string
  readonly value: string
  /** The attributes by lower-case name. The last of repeated attributes counts. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Parses a `Set-Cookie` line as leniently as browsers do (RFC 6265bis section 5.6). */
export function parseSetCookie(line: string): ParsedCookie {
  const [pair = "", ...rest] = line.split(";")
  const equals = pair.indexOf("=")
  return {
    name: equals < 0 ? "" : pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    attributes: new Map(rest.map(parseAttribute)),
  }
}

function parseAttribute(text: string): [string, string] {
  const [name = "", ...value] = text.split("=")
  return [name.trim().toLowerCase(), value.join("=").trim()]
}

/** Returns when a cookie expires, in milliseconds since 1970. Max-Age takes precedence over Expires. */
export function computeExpiry(
  attributes: ReadonlyMap<string, string>,
  now: number,
): number | undefined {
  const maxAge = attributes.get("max-age")
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    return Number(maxAge) <= 0 ? Number.NEGATIVE_INFINITY : now + Number(maxAge) * 1000
  }
  const expires = Date.parse(attributes.get("expires") ?? "")
  return Number.isNaN(expires) ? undefined : expires
}

/** Parses the SameSite attribute. */
export function parseSameSite(attributes: ReadonlyMap<string, string>): SameSite {
  const value = attributes.get("samesite")?.toLowerCase()
  return value === "strict" || value === "lax" || value === "none" ? value : "default"
}
