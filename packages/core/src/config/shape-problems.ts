/** Options that are not of the kind they have to be. */
import { serializeCookie } from "../http/cookies.ts"
import { webUrl } from "./action-url.ts"
import type { AuthConfig } from "./auth-config.ts"
import { isPage } from "./pages.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

type Unchecked = Pick<ResolvedConfig, "session" | "jwt" | "cookies">

/** What has to be, and whether it is. */
type Rule = readonly [holds: boolean, rule: string]

export function* shapeProblems(
  written: Partial<AuthConfig>,
  config: Unchecked,
): Generator<TypeError> {
  const rules = [
    ...optionRules(written),
    ...sessionRules(config),
    ...pageRules(written),
    ...functionRules(written),
    ...proxyRules(written),
  ]
  for (const [holds, rule] of rules) if (!holds) yield new TypeError(rule)
  yield* cookieProblems(config)
}

const basePathShape = /^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)\/*$/

function optionRules({ providers, basePath = "/auth", secret, jwt }: Partial<AuthConfig>): Rule[] {
  const isPath = typeof basePath === "string" && basePathShape.test(basePath)
  return [
    [Array.isArray(providers), "`providers` must be an array"],
    [isPath, '`basePath` must be a path such as "/auth"'],
    [isSecret(secret), "`secret` must be a text or an array of texts"],
    [isSecret(jwt?.secret), "`jwt.secret` must be a text or an array of texts"],
  ]
}

function isSecret(value: unknown): boolean {
  const list: unknown[] = Array.isArray(value) ? value : [value ?? ""]
  return list.every((entry) => typeof entry === "string")
}

/** A hundred years, in seconds. */
const longestAge = 3_155_760_000

function sessionRules({ session, jwt }: Unchecked): Rule[] {
  const { maxAge, updateAge, strategy } = session
  return [
    [
      Number.isInteger(maxAge) && maxAge > 0 && maxAge <= longestAge,
      "`session.maxAge` must be a whole number of seconds above zero, and no more than a century",
    ],
    [
      Number.isFinite(updateAge) && updateAge >= 0,
      "`session.updateAge` must be a number of seconds, zero or more",
    ],
    [
      strategy === "jwt" || strategy === "database",
      '`session.strategy` must be "jwt" or "database"',
    ],
    [
      Number.isFinite(jwt.maxAge) && jwt.maxAge > 0,
      "`jwt.maxAge` must be a number of seconds above zero",
    ],
  ]
}

function pageRules({ pages }: Partial<AuthConfig>): Rule[] {
  const given = Object.entries(pages ?? {}).filter(([, url]) => url !== undefined)
  return given.map(([page, url]) => [
    isPage(url),
    `\`pages.${page}\` must be a path that begins with a slash, or an http(s) URL`,
  ])
}

function functionRules(written: Partial<AuthConfig>): Rule[] {
  const { callbacks, events, session, jwt, rateLimit } = written
  const given = {
    ...prefixed("callbacks", callbacks),
    ...prefixed("events", events),
    "session.generateSessionToken": session?.generateSessionToken,
    "jwt.encode": jwt?.encode,
    "jwt.decode": jwt?.decode,
    rateLimit,
  }
  return Object.entries(given).map(([name, value]) => [
    value === undefined || typeof value === "function",
    `\`${name}\` must be a function`,
  ])
}

function prefixed(group: string, functions: object | undefined): Record<string, unknown> {
  const entries = Object.entries(functions ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [`${group}.${name}`, value]))
}

const originShape = /^https?:\/\/(?:\*\.)?[^*/?#@\\\s]+$/

function proxyRules({ redirectProxyUrl, redirectProxyOrigins }: Partial<AuthConfig>): Rule[] {
  const origins: unknown = redirectProxyOrigins ?? []
  const isOrigin = (value: unknown) => typeof value === "string" && originShape.test(value)
  return [
    [
      redirectProxyUrl === undefined || webUrl(redirectProxyUrl) !== undefined,
      "`redirectProxyUrl` must be an http(s) URL up to the base path",
    ],
    [
      Array.isArray(origins) && origins.every(isOrigin),
      "`redirectProxyOrigins` must hold origins such as https://preview.example.com or https://*.example.com",
    ],
  ]
}

/** Names and attributes that no header can carry. */
function* cookieProblems({ cookies }: Unchecked): Generator<TypeError> {
  const names = Object.values(cookies.secure).map(({ name }) => name)
  if (new Set(names).size < names.length) {
    yield new TypeError("`cookies` gives one name to two cookies")
  }
  for (const [key, { name, options }] of Object.entries(cookies.secure)) {
    const free = options.domain !== undefined || options.path !== "/" || options.secure !== true
    if (String(name).startsWith("__Host-") && free) {
      yield new TypeError(
        `\`cookies.${key}\`: browsers refuse a __Host- cookie with a domain, with a path, or without Secure`,
      )
    }
    try {
      serializeCookie({ name, value: "", options })
    } catch (cause) {
      yield new TypeError(`\`cookies.${key}\` cannot be set`, { cause })
    }
  }
}
