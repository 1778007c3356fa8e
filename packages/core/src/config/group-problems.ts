/** Options that hold others: callbacks, events, session, pages. */
import { basePrefix } from "../http/route.ts"
import type { AuthConfig } from "./auth-config.ts"
import { isPage } from "./pages.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { type Rule, rule } from "./rule.ts"

type Unchecked = Pick<ResolvedConfig, "session" | "jwt" | "basePath">

const groups = [
  "session",
  "jwt",
  "callbacks",
  "events",
  "pages",
  "cookies",
  "experimental",
] as const

export function groupRules(written: Partial<AuthConfig>, config: Unchecked): Rule[] {
  return [
    ...groups.map((name) => {
      const value: unknown = written[name] ?? {}
      const holds = typeof value === "object" && !Array.isArray(value)
      return rule(name, value, holds, "an object", `Write \`${name}: { … }\`, or leave it out.`)
    }),
    ...sessionRules(config),
    ...pageRules(written, config),
    ...functionRules(written),
  ]
}

/** A hundred years, in seconds. */
const longestAge = 3_155_760_000
const seconds = "Write seconds as a number, without quotes: 30 * 24 * 60 * 60 is thirty days."

function sessionRules({ session, jwt }: Unchecked): Rule[] {
  const { maxAge, updateAge, strategy } = session
  return [
    rule(
      "session.maxAge",
      maxAge,
      Number.isInteger(maxAge) && maxAge > 0 && maxAge <= longestAge,
      "a whole number of seconds above zero, and no more than a century",
      seconds,
    ),
    rule(
      "session.updateAge",
      updateAge,
      Number.isFinite(updateAge) && updateAge >= 0,
      "a number of seconds, zero or more",
      seconds,
    ),
    rule(
      "session.strategy",
      strategy,
      strategy === "jwt" || strategy === "database",
      '"jwt" or "database"',
      'Choose "jwt" (in the cookie) or "database" (in the adapter), or leave it out.',
    ),
    rule(
      "jwt.maxAge",
      jwt.maxAge,
      // Where it is that of the session, it was looked at already.
      jwt.maxAge === maxAge || (Number.isFinite(jwt.maxAge) && jwt.maxAge > 0),
      "a number of seconds above zero",
      seconds,
    ),
  ]
}

/** The built-in page that each of the application's replaces. */
const builtIn: Readonly<Record<string, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
}

function pageRules({ pages }: Partial<AuthConfig>, { basePath }: Unchecked): Rule[] {
  const given = Object.entries(pages ?? {}).filter(([, url]) => url !== undefined)
  return given.flatMap(([page, url]) => {
    const option = `pages.${page}`
    const path = typeof url === "string" ? url : ""
    const own = `${basePrefix(basePath)}/${builtIn[page]}`
    return [
      rule(
        option,
        url,
        isPage(url),
        "a path that begins with a slash, or an http(s) URL",
        `Begin it with a slash, as in "/${path.replace(/^\W+/, "").slice(0, 40) || "login"}".`,
      ),
      rule(
        option,
        url,
        path.split(/[?#]/, 1)[0] !== own,
        "a page of the application",
        "The built-in page leads there, and so back to itself. Leave the option out to use that page.",
      ),
    ]
  })
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
  return Object.entries(given).map(([name, value]) =>
    rule(
      name,
      value,
      value === undefined || typeof value === "function",
      "a function",
      "Hand over the function itself, not what it returns; leave the option out for the default.",
    ),
  )
}

function prefixed(group: string, functions: object | undefined): Record<string, unknown> {
  const entries = Object.entries(typeof functions === "object" ? (functions ?? {}) : {})
  return Object.fromEntries(entries.map(([name, value]) => [`${group}.${name}`, value]))
}
