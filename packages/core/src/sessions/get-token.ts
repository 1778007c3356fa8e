/** The session token of a request, for code outside of the library's own routes. */
import { cookieTable } from "../config/cookies.ts"
import { decode as decodeToken, type JWTDecodeParams } from "../crypto/jwt.ts"
import { MissingSecret } from "../errors.ts"
import { readChunks } from "../http/chunks.ts"
import { parseCookies } from "../http/cookies.ts"
import type { JWT } from "../types.ts"

/** What {@link getToken} takes. */
export interface GetTokenParams<Raw extends boolean = false> {
  /** A request, or anything with its headers. */
  req: { headers: Headers | Record<string, string | string[] | undefined> }
  secret?: string | string[]
  /** Whether the cookie has its `__Secure-` name. @defaultValue false */
  secureCookie?: boolean
  cookieName?: string
  /** @defaultValue `cookieName` */
  salt?: string
  /** Returns the token as it is, without verification. */
  raw?: Raw
  decode?: (params: JWTDecodeParams) => JWT | null | PromiseLike<JWT | null>
}

export async function getToken(params: GetTokenParams<true>): Promise<string | null>
export async function getToken(params: GetTokenParams<false>): Promise<JWT | null>
/**
 * Reads the session token of a request from its cookie, or from `Authorization: Bearer`.
 *
 * @returns the claims, or null when there is no token or it cannot be trusted
 * @throws TypeError when there is no request, MissingSecret when there is no secret
 */
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secret, secureCookie = false, raw = false, decode = decodeToken } = params
  if (!req) throw new TypeError("`req` must be a request or an object with its headers")
  const cookieName = params.cookieName ?? cookieTable(secureCookie, {}).sessionToken.name
  const headers = req.headers instanceof Headers ? req.headers : asHeaders(req.headers)
  const token = readChunks(parseCookies(headers.get("cookie")), cookieName) ?? bearer(headers)
  if (!token) return null
  if (raw) return token
  if (!secret?.length) throw new MissingSecret({ expected: "a `secret`" })
  try {
    return await decode({ token, secret, salt: params.salt ?? cookieName })
  } catch {
    return null // whatever is wrong with it, it is not a token to be trusted
  }
}

function asHeaders(record: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(record ?? {})) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join("; ") : value)
  }
  return headers
}

function bearer(headers: Headers): string | undefined {
  const [scheme, token] = (headers.get("authorization") ?? "").split(" ", 2)
  if (scheme !== "Bearer" || !token) return undefined
  try {
    return decodeURIComponent(token)
  } catch {
    return undefined // malformed: no token
  }
}
