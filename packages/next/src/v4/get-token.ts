import {
  type GetTokenParams as CoreParams,
  getToken as getCoreToken,
  type JWT,
} from "@latchkey/core/jwt"
import { findScheme, readEnvironment } from "../environment.ts"
import { decode, getSessionCookieName } from "./session-token.ts"

/** Parameters of {@link getToken}. The request is a web `Request`, or one of Node.js. */
export type GetTokenParams<Raw extends boolean = boolean> = Omit<CoreParams<Raw>, "accept">

/**
 * Reads the session token of a request, from the cookie of NextAuth.js 4 or, if there is none, from that of newer code. The secret
 * is by default that of the environment.
 *
 * @returns the claims, or null when there is no valid token
 * @throws TypeError when there is no request, MissingSecret when there is no secret
 */
export async function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>
export async function getToken<Claims = JWT>(params: GetTokenParams<false>): Promise<Claims | null>
export async function getToken(params: GetTokenParams): Promise<string | JWT | null> {
  const { AUTH_SECRET } = readEnvironment()
  const own = { ...(AUTH_SECRET && { secret: AUTH_SECRET }), ...params } as CoreParams<false>
  const cookieName = getSessionCookieName(params.secureCookie)
  const token = await getCoreToken({ cookieName, decode, ...own })
  if (token !== null || params.cookieName) return token
  return getCoreToken({ secureCookie: isSecure(params.req), ...own })
}

/** Whether the browser sees https, so that the names of cookies begin with `__Secure-`. */
function isSecure(req: CoreParams["req"]): boolean {
  const env = readEnvironment()
  return env["AUTH_URL"]
    ? env["AUTH_URL"].startsWith("https:")
    : findScheme(readHost(req.headers), env) === "https"
}

function readHost(headers: CoreParams["req"]["headers"]): string {
  if (typeof headers.get === "function") return headers.get("host") ?? ""
  return String((headers as Readonly<Record<string, unknown>>)["host"] ?? "")
}
