/** The names of all options: what is written under another one has no effect. */

import type { JWTOptions } from "../crypto/jwt.ts"
import type { CookiesOptions, PagesOptions, Theme } from "../types.ts"
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./auth-config.ts"

type Names<T> = Readonly<Record<keyof T, true>>

const top: Names<AuthConfig> = {
  accountLinking: true,
  adapter: true,
  basePath: true,
  callbacks: true,
  cookies: true,
  debug: true,
  development: true,
  events: true,
  experimental: true,
  jwt: true,
  logger: true,
  pages: true,
  providers: true,
  rateLimit: true,
  raw: true,
  redirectProxyOrigins: true,
  redirectProxyUrl: true,
  secret: true,
  session: true,
  skipCSRFCheck: true,
  theme: true,
  trustHost: true,
  useSecureCookies: true,
}
const session: Names<SessionOptions> = {
  generateSessionToken: true,
  maxAge: true,
  strategy: true,
  updateAge: true,
}
const jwt: Names<JWTOptions> = { decode: true, encode: true, maxAge: true, secret: true }
const callbacks: Names<CallbacksOptions> = {
  jwt: true,
  redirect: true,
  session: true,
  signIn: true,
}
const events: Names<EventCallbacks> = {
  createUser: true,
  linkAccount: true,
  session: true,
  signIn: true,
  signOut: true,
  updateUser: true,
}
const pages: Names<PagesOptions> = {
  error: true,
  newUser: true,
  signIn: true,
  signOut: true,
  verifyRequest: true,
}
const theme: Names<Theme> = { brandColor: true, buttonText: true, colorScheme: true, logo: true }
const cookies: Names<CookiesOptions> = {
  callbackUrl: true,
  csrfToken: true,
  nonce: true,
  pkceCodeVerifier: true,
  sessionToken: true,
  state: true,
  webauthnChallenge: true,
}

/** Options of the configuration itself, under an empty name, and of each option that holds others. */
export const optionNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ "": top, session, jwt, callbacks, events, pages, theme, cookies }).map(
    ([group, names]) => [group, Object.keys(names)],
  ),
)

/** Written by the packages of frameworks, or for them. */
export const foreignNames: ReadonlySet<string> = new Set(["prefix"])
