/** The names of all options: what is written under another one has no effect. */

import type { JWTOptions } from "../crypto/jwt.ts"
import type { CookiesOptions, PagesOptions, Theme } from "../types.ts"
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./auth-config.ts"

type OptionNames<T> = Readonly<Record<keyof T, true>>

const rootOptions: OptionNames<AuthConfig> = {
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
const session: OptionNames<SessionOptions> = {
  generateSessionToken: true,
  maxAge: true,
  strategy: true,
  updateAge: true,
}
const jwt: OptionNames<JWTOptions> = { decode: true, encode: true, maxAge: true, secret: true }
const callbacks: OptionNames<CallbacksOptions> = {
  jwt: true,
  redirect: true,
  session: true,
  signIn: true,
}
const events: OptionNames<EventCallbacks> = {
  createUser: true,
  linkAccount: true,
  session: true,
  signIn: true,
  signOut: true,
  updateUser: true,
}
const pages: OptionNames<PagesOptions> = {
  error: true,
  newUser: true,
  signIn: true,
  signOut: true,
  verifyRequest: true,
}
const theme: OptionNames<Theme> = {
  brandColor: true,
  buttonText: true,
  colorScheme: true,
  logo: true,
}
const cookies: OptionNames<CookiesOptions> = {
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
  Object.entries({ "": rootOptions, session, jwt, callbacks, events, pages, theme, cookies }).map(
    ([group, names]) => [group, Object.keys(names)],
  ),
)

/** Written by the packages of frameworks, or for them. */
export const frameworkOptionNames: ReadonlySet<string> = new Set(["prefix"])
