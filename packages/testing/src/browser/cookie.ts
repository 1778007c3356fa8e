/** A cookie as the browser keeps it (RFC 6265bis section 5.7). */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** Host that it belongs to. */
  readonly domain: string
  /** Sent to that host only, because no Domain was set. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: SameSite
  /** Milliseconds since 1970; absent for a cookie that lasts as long as the browser. */
  readonly expires?: number
  /** Its `Set-Cookie` as it came. */
  readonly raw: string
}

/** Which cross-site requests carry a cookie. `default` was not set, and is treated as `lax`. */
export type SameSite = "strict" | "lax" | "none" | "default"

/** A line of `Set-Cookie`, taken apart. */
export interface ParsedCookie {
  readonly name: string
  readonly value: string
  /** The attributes by lower-case name; of a repeated one the last counts. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Takes a `Set-Cookie` line apart, as browsers do: anything goes (RFC 6265bis section 5.6). */
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

/** When a cookie ends, in milliseconds since 1970; Max-Age wins over Expires. */
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

/** Reads the SameSite attribute. */
export function parseSameSite(attributes: ReadonlyMap<string, string>): SameSite {
  const value = attributes.get("samesite")?.toLowerCase()
  return value === "strict" || value === "lax" || value === "none" ? value : "default"
}
