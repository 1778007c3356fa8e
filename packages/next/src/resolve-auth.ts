/// <reference path="./next.d.ts" />
/** Compiles the configuration, and finds out what Next.js does not tell truthfully: the URL, and the address of the client. */
import type { AuthConfig, EnvironmentVariables } from "@latchkey/core"
import { InvalidOption, InvalidRequest } from "@latchkey/core/errors"
import {
  createAuthResolver,
  type HeaderReader,
  type IntegratedAuth,
  resolveRequestOrigin,
  type StartupCheck,
} from "@latchkey/core/integration"
import type { NextAuthCallbacks, NextAuthConfig } from "./config.ts"
import { findScheme, readEnvironment } from "./environment.ts"

/** The `basePath` of Next.js, which replaces the expression when it builds. */
export const nextBasePath: string = process.env.__NEXT_ROUTER_BASEPATH ?? ""

const resolveAuth = createAuthResolver({ basePath: `${nextBasePath}/api/auth` })

/** A compiled configuration, and what only this package reads of it. */
export interface NextAuth {
  readonly integratedAuth: IntegratedAuth
  readonly authorized: NextAuthCallbacks["authorized"] | undefined
  /**
   * Returns the URL of a request as the browser sees it, with the origin of `AUTH_URL`, else the `Host` header. Next.js passes
   * forwarded headers of clients on, and builds `request.url` from them, so neither counts.
   *
   * @param target path and query
   * @throws InvalidRequest 400 when the `Host` header is missing or malformed
   */
  resolveUrl(headers: HeaderReader, target: string): URL
  /** Returns the address of the client from the header that the configuration names. */
  getClientAddress(headers: HeaderReader): string | undefined
}

const compiled = new WeakMap<NextAuthConfig, NextAuth>()

/** Compiles a configuration when it is first used, with the environment at that time. */
export function compileConfig(config: NextAuthConfig): NextAuth {
  const existing = compiled.get(config)
  if (existing) return existing
  const env = readEnvironment()
  const integratedAuth = resolveAuth(toCoreConfig(config, env), env)
  const { clientAddressHeader } = config
  const result: NextAuth = {
    integratedAuth,
    authorized: config.callbacks?.authorized,
    resolveUrl(headers, target) {
      const origin = integratedAuth.origin ?? resolveHostOrigin(headers, env)
      // Not relative to the origin, where two slashes at the start would name another host.
      return new URL(origin + (target.startsWith("/") ? target : "/"))
    },
    getClientAddress(headers) {
      const value = clientAddressHeader && headers.get(clientAddressHeader)
      return value?.split(",").at(-1)?.trim() || undefined
    },
  }
  compiled.set(config, result)
  return result
}

/** Logs the problems of a configuration when it is loaded. `next build` loads it, too, and needs no secrets. */
export function checkConfigAtStartup(config: NextAuthConfig): StartupCheck | undefined {
  if (process.env["NEXT_PHASE"] === "phase-production-build") return undefined
  return resolveAuth.checkAtStartup(toCoreConfig(config, readEnvironment()), readEnvironment)
}

function resolveHostOrigin(headers: HeaderReader, env: EnvironmentVariables): string {
  try {
    return resolveRequestOrigin(findScheme(headers.get("host") ?? "", env), headers, false)
  } catch (cause) {
    const expected = "a request whose `Host` header names its host"
    throw new InvalidRequest(400, { expected, hint: "Or set AUTH_URL.", cause })
  }
}

function toCoreConfig(config: NextAuthConfig, env: EnvironmentVariables): AuthConfig {
  const { clientAddressHeader: _, callbacks = {}, ...options } = config
  const { authorized: __, ...coreCallbacks } = callbacks
  const coreConfig: AuthConfig = { ...options, callbacks: coreCallbacks }
  // The platform routes by host, so that nobody can name another one.
  const isOriginKnown = env["AUTH_URL"] || env["VERCEL"] || Array.isArray(config.trustHost)
  if (env["NODE_ENV"] !== "production" || isOriginKnown) return coreConfig
  return Array.isArray(config.providers)
    ? { ...coreConfig, providers: config.providers.map(refuseToSend) }
    : coreConfig // which the core refuses
}

type Provider = AuthConfig["providers"][number]

/** Replaces the function of an e-mail provider that sends: its links would lead wherever a `Host` header says. */
function refuseToSend(provider: Provider): Provider {
  const definition = typeof provider === "function" ? provider({}) : provider
  if (definition.type !== "email") return provider
  const sendVerificationRequest = () => {
    const expected =
      "AUTH_URL or a list of hosts in production, because links in e-mails need a known origin"
    const hint =
      'Set AUTH_URL to the URL that users open, or list your hosts: `trustHost: ["example.com"]`.'
    throw new InvalidOption({ option: "AUTH_URL", expected, received: "neither", hint })
  }
  return { ...definition, options: { ...definition.options, sendVerificationRequest } }
}
