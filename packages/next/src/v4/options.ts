/** The options of NextAuth.js 4, and what is created from them once. */
import type { NextAuthConfig } from "../config.ts"
import { NextAuth, type NextAuthResult } from "../next-auth.ts"
import { encode } from "./encode.ts"
import { decode, getSessionCookieName } from "./session-token.ts"

/** The configuration. Session cookies are those of NextAuth.js 4, in both directions. */
export interface NextAuthOptions extends NextAuthConfig {
  /** The providers to sign in with, as objects. */
  providers: Exclude<NextAuthConfig["providers"][number], (...input: never) => unknown>[]
}

/** The same, by the other name that it has in NextAuth.js 4. */
export type AuthOptions = NextAuthOptions

const created = new WeakMap<NextAuthConfig, NextAuthResult>()

/** Returns the functions for an object of options: the same ones for the same object. */
export function getNextAuth(options: NextAuthConfig): NextAuthResult {
  const existing = created.get(options)
  if (existing) return existing
  const { cookies, jwt, useSecureCookies } = options
  const sessionToken = { name: getSessionCookieName(useSecureCookies), ...cookies?.sessionToken }
  const result = NextAuth({
    ...options,
    cookies: { ...cookies, sessionToken },
    jwt: { encode, decode, ...jwt },
  })
  created.set(options, result)
  return result
}
