/** Session tokens: claims sealed as a JWE, in the format of Auth.js. */
import { defaultSession } from "../config/defaults.ts"
import { parseJsonObject } from "../objects.ts"
import type { JWT } from "../types.ts"
import { decryptJwe, deriveJweKey, type JweKey, sealClaims, unknownKeyReason } from "./jwe.ts"
import { memoize } from "./memoize.ts"

/** Tolerated difference between the clocks of this application's servers, in seconds. */
const maxServerClockSkew = 15

/** Parameters of {@link encode}. */
export interface JWTEncodeParams<Payload = JWT> {
  /** The claims. `encode` sets `iat`, `exp` and `jti`. */
  token?: Payload
  /** One or more secrets. The first one encrypts. */
  secret: string | readonly string[]
  /** Name of the cookie that carries the token. Each cookie has its own key. */
  salt: string
  /** Lifetime in seconds. @defaultValue 2592000 */
  maxAge?: number
}

/** Parameters of {@link decode}. */
export interface JWTDecodeParams {
  /** The token. Without one, `decode` returns null. */
  token?: string | undefined
  /** One or more secrets. The token may be encrypted with any of them. */
  secret: string | readonly string[]
  /** Name of the cookie that carried the token. */
  salt: string
}

/** Options of session tokens. */
export interface JWTOptions {
  /** The secret of session tokens. @defaultValue the `secret` of the configuration */
  secret: string | readonly string[]
  /** Lifetime in seconds. @defaultValue `session.maxAge` */
  maxAge: number
  // Methods rather than function properties, so that functions with the narrower types of Auth.js are accepted.
  /** Creates the session token, instead of the built-in encryption. */
  encode(params: JWTEncodeParams): string | PromiseLike<string>
  /** Decodes a token that `encode` created; returns null for any other text. */
  decode(params: JWTDecodeParams): JWT | null | PromiseLike<JWT | null>
}

/** Derived keys are cached. An application needs one for each secret and session cookie. */
const maxCachedKeys = 256

const getTokenKey = memoize(
  (secret: string, salt: string) =>
    deriveJweKey(secret, salt, `Auth.js Generated Encryption Key (${salt})`),
  maxCachedKeys,
)

/**
 * Returns the key of each secret but the empty ones: anyone could derive a key from an environment variable that is not
 * set.
 *
 * @throws TypeError when there is no secret
 */
export function getTokenKeys(
  secret: string | readonly string[],
  salt: string,
): Promise<[JweKey, ...JweKey[]]> {
  const [first, ...others] = [secret].flat().filter(Boolean)
  if (first === undefined) throw new TypeError("`secret` must hold at least one secret")
  return Promise.all([getTokenKey(first, salt), ...others.map((each) => getTokenKey(each, salt))])
}

/** Returns the keys for the tokens in a cookie. The first one seals. */
export type TokenKeys = (cookieName: string) => ReturnType<typeof getTokenKeys>

/** Creates a function that derives keys when it is first called with the name of a cookie. */
export function createTokenKeys(secrets: readonly string[]): TokenKeys {
  return memoize((cookieName: string) => getTokenKeys(secrets, cookieName))
}

/**
 * Seals claims into a session token (compact JWE, `dir`, `A256CBC-HS512`).
 *
 * @throws TypeError when there is no secret
 */
export async function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  const { token, secret, salt, maxAge = defaultSession.maxAge } = params
  const [key] = await getTokenKeys(secret, salt)
  return sealClaims(key, { ...token }, maxAge)
}

/**
 * Opens a session token. Returns null without a token.
 *
 * @throws TypeError when the token is altered, expired, or sealed under none of the secrets, or there is no secret
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  if (!params.token) return null
  const read = await readToken(params.token, await getTokenKeys(params.secret, params.salt))
  if (read.kind === "invalid") throw new TypeError(`The token cannot be used: ${read.reason}.`)
  return read.claims as Payload // the application that sealed the claims knows their type
}

export type TokenReadResult =
  | { readonly kind: "valid"; readonly claims: JWT; readonly usesFirstSecret: boolean }
  /** Foreign if it was sealed under another secret. */
  | { readonly kind: "invalid"; readonly reason: string; readonly isForeign?: boolean }

/** Sessions of the library that an application used before. They are read, and replaced by our own. */
export interface AcceptedSessions {
  /** Name of the session cookie over http. Over https, it begins with `__Secure-`. */
  readonly cookieName: string
  /**
   * Opens a session token; returns undefined for any other text.
   *
   * @param maxAge the longest time since the token was issued, in seconds. A sign-out is remembered as long.
   */
  readToken(
    token: string,
    secrets: readonly string[],
    maxAge: number,
  ): Promise<TokenReadResult | undefined>
}

/** Opens a token and checks its times. Never rejects because of the token. */
export async function readToken(token: string, keys: readonly JweKey[]): Promise<TokenReadResult> {
  const decrypted = await decryptJwe(keys, token)
  if (typeof decrypted === "string")
    return { kind: "invalid", reason: decrypted, isForeign: decrypted === unknownKeyReason }
  return parseClaims(decrypted.plaintext, decrypted.key === keys[0])
}

/** Parses the content of a token and checks its times. */
export function parseClaims(plaintext: string, usesFirstSecret: boolean): TokenReadResult {
  const claims: JWT | undefined = parseJsonObject(plaintext)
  if (!claims) return { kind: "invalid", reason: "the token does not hold claims" }
  const reason = findTimeError(claims)
  return reason ? { kind: "invalid", reason } : { kind: "valid", claims, usesFirstSecret }
}

/** Checks the times of a token (RFC 7519 section 4.1) and describes what is wrong with them. */
function findTimeError({ iat, exp, nbf }: Record<string, unknown>): string | undefined {
  for (const time of [iat, exp, nbf]) {
    if (time !== undefined && !(typeof time === "number" && Number.isFinite(time) && time >= 0)) {
      return "a time in the token is not a number of seconds since 1970"
    }
  }
  const now = Math.floor(Date.now() / 1000)
  if (exp === undefined) return "the token does not say when it expires"
  if (Number(exp) <= now - maxServerClockSkew) return "the token has expired"
  return Number(nbf) > now + maxServerClockSkew ? "the token is not valid yet" : undefined
}
