/** Session tokens: claims sealed as a JWE, in the format of `protocol.md` section 3. */
import type { JWT } from "../types.ts"
import { decryptJwe, deriveJweKey, encryptJwe, type JweKey } from "./jwe.ts"

/** Lifetime of a token unless told otherwise, in seconds: 30 days. */
export const defaultMaxAge = 2_592_000

/** Differences between clocks that are forgiven, in seconds. */
const maxClockSkew = 15

/** What {@link encode} takes. */
export interface JWTEncodeParams<Payload = JWT> {
  /** The claims; `iat`, `exp` and `jti` are set by encoding. */
  token?: Payload
  /** At least one secret; the first one seals. */
  secret: string | readonly string[]
  /** Name of the cookie that carries the token: each has a key of its own. */
  salt: string
  /** Lifetime in seconds. @defaultValue 2592000 */
  maxAge?: number
}

/** What {@link decode} takes. */
export interface JWTDecodeParams {
  /** The token; nothing is decoded to null. */
  token?: string | undefined
  secret: string | readonly string[]
  salt: string
}

/** Options of session tokens. */
export interface JWTOptions {
  /** Secret of session tokens, where it is not the `secret` of the configuration. */
  secret: string | readonly string[]
  /** Lifetime in seconds. @defaultValue `session.maxAge` */
  maxAge: number
  // Methods, so that functions which were written for the contract elsewhere are accepted.
  /** Makes the session token, in place of the sealing. */
  encode(params: JWTEncodeParams): string | PromiseLike<string>
  /** Opens what `encode` made; null for anything else. */
  decode(params: JWTDecodeParams): JWT | null | PromiseLike<JWT | null>
}

/** Derived keys by purpose and secret: an application has a handful, and a bound keeps it so. */
const keyCache = new Map<string, Promise<JweKey>>()
const maxCachedKeys = 256

function getTokenKey(secret: string, salt: string): Promise<JweKey> {
  const name = `${salt.length} ${salt}${secret}`
  const cached = keyCache.get(name)
  if (cached) return cached
  const derivedKey = deriveJweKey(secret, salt, `Auth.js Generated Encryption Key (${salt})`)
  if (keyCache.size >= maxCachedKeys) keyCache.delete(keyCache.keys().next().value ?? "")
  keyCache.set(name, derivedKey)
  return derivedKey
}

function toSecretList(secret: string | readonly string[]): readonly string[] {
  return typeof secret === "string" ? [secret] : secret
}

/**
 * Seals claims into a session token (compact JWE, `dir`, `A256CBC-HS512`).
 *
 * @throws TypeError when there is no secret
 */
export async function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  const { token, secret, salt, maxAge = defaultMaxAge } = params
  const [first] = toSecretList(secret)
  if (!first) throw new TypeError("`secret` must hold at least one secret")
  const iat = Math.floor(Date.now() / 1000)
  const claims = { ...token, iat, exp: iat + maxAge, jti: crypto.randomUUID() }
  return encryptJwe(await getTokenKey(first, salt), JSON.stringify(claims))
}

/**
 * Opens a session token. An absent token is null.
 *
 * @throws TypeError when the token is altered, expired, or sealed under none of the secrets
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  if (!params.token) return null
  const read = await readToken(params.token, params.secret, params.salt)
  if (read.kind === "invalid") throw new TypeError(`The token cannot be used: ${read.reason}.`)
  // The payload is what this application sealed itself: the type is its own word for it.
  return read.claims as Payload
}

/** A token that was looked at. `current` tells whether the first secret sealed it. */
export type TokenReadResult =
  | {
      readonly kind: "valid"
      readonly claims: JWT
      readonly plaintext: string
      readonly usesFirstSecret: boolean
    }
  | { readonly kind: "invalid"; readonly reason: string }

/** Opens a token and checks its times; never throws for what a stranger sent. */
export async function readToken(
  token: string,
  secret: string | readonly string[],
  salt: string,
): Promise<TokenReadResult> {
  const secrets = toSecretList(secret)
  const keys = await Promise.all(secrets.map((secret) => getTokenKey(secret, salt)))
  const decrypted = await decryptJwe(keys, token)
  if (decrypted.kind === "refused") return { kind: "invalid", reason: decrypted.reason }
  const claims = parseClaims(decrypted.plaintext)
  if (!claims) return { kind: "invalid", reason: "the token does not hold claims" }
  const timeError = findTimeError(claims)
  if (timeError) return { kind: "invalid", reason: timeError }
  return {
    kind: "valid",
    claims,
    plaintext: decrypted.plaintext,
    usesFirstSecret: decrypted.key === keys[0],
  }
}

function parseClaims(plaintext: string): JWT | undefined {
  try {
    const claims: unknown = JSON.parse(plaintext)
    if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return undefined
    return claims as JWT // sealed by us: an object of JSON is all that JWT asks for
  } catch {
    return undefined // not JSON
  }
}

/** RFC 7519 section 4.1: what is wrong with the times of a token, if anything. */
function findTimeError(claims: JWT): string | undefined {
  const { iat, exp, nbf } = claims as Record<string, unknown>
  for (const time of [iat, exp, nbf]) {
    if (time !== undefined && !(typeof time === "number" && Number.isFinite(time) && time >= 0)) {
      return "a time in the token is not a number of seconds since 1970"
    }
  }
  const now = Math.floor(Date.now() / 1000)
  if (typeof exp !== "number") return "the token does not say when it expires"
  if (exp <= now - maxClockSkew) return "the token has expired"
  if (typeof nbf === "number" && nbf > now + maxClockSkew) return "the token is not valid yet"
  return undefined
}
