/** Reads the session token of a request, for code outside the library's own routes. */

import { defaultSession } from "../../config/defaults.ts"
import { createCookieDefinitions } from "../../config/resolve-session-config.ts"
import { createHasher } from "../../crypto/digest.ts"
import {
  type AcceptedSessions,
  decode as decodeToken,
  type JWTDecodeParams,
} from "../../crypto/jwt.ts"
import { MissingSecret } from "../../errors.ts"
import { listChunkedValues } from "../../http/cookie-chunks.ts"
import { parseCookies } from "../../http/cookies.ts"
import type { JWT, LoggerInstance } from "../../types.ts"
import { isEndedSession } from "./ended-sessions.ts"

/** Parameters of {@link getToken}. */
export interface GetTokenParams<Raw extends boolean = false> {
  /** A request, or an object with its headers. */
  req: { headers: Headers | Record<string, string | string[] | undefined> }
  /** One or more secrets, those of the configuration. Required. */
  secret?: string | string[]
  /** Whether the name of the cookie begins with `__Secure-`. @defaultValue false */
  secureCookie?: boolean
  /** The name of the session cookie. @defaultValue that of the configuration's defaults */
  cookieName?: string
  /** The name of the cookie for which the token was encrypted. @defaultValue `cookieName` */
  salt?: string
  /** Returns the token without verifying it. */
  raw?: Raw
  /** Decodes the token, if `jwt.encode` of the configuration created it. */
  decode?: (params: JWTDecodeParams) => JWT | null | PromiseLike<JWT | null>
  /** Sessions that count besides our own: the option `session.accept`. */
  accept?: readonly AcceptedSessions[]
  /** Accepted for compatibility with Auth.js. Nothing is logged: an invalid token is not an error. */
  logger?: Partial<LoggerInstance>
}

export async function getToken(params: GetTokenParams<true> & { raw: true }): Promise<string | null>
export async function getToken<Claims = JWT>(params: GetTokenParams<false>): Promise<Claims | null>
/**
 * Reads the session token of a request from its cookie, or from `Authorization: Bearer`.
 *
 * `getToken<InferToken<typeof config>>(…)` returns the claims of that configuration's `jwt` callback.
 *
 * @returns the claims, or null when there is no valid token
 * @throws TypeError when there is no request, MissingSecret when there is no secret
 */
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secret, cookieName: name, accept = [], decode = decodeToken } = params
  if (!req) throw new TypeError("`req` must have the headers of a request")
  const isSecure = params.secureCookie || /^__(?:Secure|Host)-/.test(name ?? "")
  const cookieDefinitions = createCookieDefinitions(
    isSecure,
    name ? { sessionToken: { name } } : {},
    false,
    accept,
  )
  const { name: cookieName, formerNames = [] } = cookieDefinitions.sessionToken
  const cookies = parseCookies(readHeader(req.headers, "cookie"))
  const values = [cookieName, ...formerNames].flatMap((each) => listChunkedValues(cookies, each))
  const bearerToken = parseBearerToken(readHeader(req.headers, "authorization"))
  const tokens = values.length === 0 && bearerToken ? [bearerToken] : values
  const [firstToken] = tokens
  if (firstToken === undefined) return null
  if (params.raw) return firstToken
  const secrets = [secret ?? ""].flat().filter(Boolean)
  if (!secret || secrets.length === 0) throw new MissingSecret({ expected: "a `secret`" })
  const hasher = createHasher(secrets)
  type Open = (token: string) => JWT | null | PromiseLike<JWT | null>
  const openOwn: Open = (token) => decode({ token, secret, salt: params.salt ?? cookieName })
  const openOthers = accept.map(
    ({ readToken }): Open =>
      async (token) => {
        const read = await readToken(token, secrets, defaultSession.maxAge)
        return read?.kind === "valid" ? read.claims : null
      },
  )
  for (const token of tokens)
    for (const open of [openOwn, ...openOthers]) {
      // Not a valid token: a leftover may be mixed in.
      const claims = await Promise.resolve(token)
        .then(open)
        .catch(() => null)
      if (claims && !(await isEndedSession(hasher, { cookies, cookieDefinitions }, claims)))
        return claims
    }
  return null
}

/** Reads a header of a `Headers` or of a plain record, which may hold HTTP/2 pseudo-headers too. */
function readHeader(headers: GetTokenParams["req"]["headers"], name: string): string {
  if (typeof headers?.get === "function") return headers.get(name) ?? ""
  const entries = Object.entries(headers ?? {})
  const [, value = ""] = entries.find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value.join("; ") : value
}

function parseBearerToken(authorization: string): string | undefined {
  const [scheme, token] = authorization.split(" ", 2)
  if (scheme !== "Bearer" || !token) return undefined
  try {
    return decodeURIComponent(token)
  } catch {
    return undefined // malformed
  }
}
