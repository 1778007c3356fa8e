/** Options that hold others: callbacks, events, session, pages. */
import { stripTrailingSlash } from "../http/route.ts"
import type { AuthConfig } from "./auth-config.ts"
import { isPageUrl } from "./custom-pages.ts"
import { checkOption, type OptionCheck } from "./option-check.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

type UncheckedConfig = Pick<ResolvedConfig, "session" | "jwt" | "basePath">

const optionGroups = [
  "session",
  "jwt",
  "callbacks",
  "events",
  "pages",
  "cookies",
  "experimental",
] as const

export function checkOptionGroups(
  authConfig: Partial<AuthConfig>,
  config: UncheckedConfig,
): OptionCheck[] {
  return [
    ...optionGroups.map((name) => {
      const value: unknown = authConfig[name] ?? {}
      const isValid = typeof value === "object" && !Array.isArray(value)
      return checkOption(
        name,
        value,
        isValid,
        "an object",
        `Write \`${name}: { … }\`, or leave it out.`,
      )
    }),
    ...checkSessionOptions(config),
    ...checkPageUrls(authConfig, config),
    ...checkFunctions(authConfig),
  ]
}

/** A hundred years, in seconds. */
const maxSessionAge = 3_155_760_000
const secondsHint = "Write seconds as a number, without quotes: 30 * 24 * 60 * 60 is thirty days."

function checkSessionOptions({ session, jwt }: UncheckedConfig): OptionCheck[] {
  const { maxAge, updateAge, strategy } = session
  return [
    checkOption(
      "session.maxAge",
      maxAge,
      Number.isInteger(maxAge) && maxAge > 0 && maxAge <= maxSessionAge,
      "a whole number of seconds above zero, and no more than a century",
      secondsHint,
    ),
    checkOption(
      "session.updateAge",
      updateAge,
      Number.isFinite(updateAge) && updateAge >= 0,
      "a number of seconds, zero or more",
      secondsHint,
    ),
    checkOption(
      "session.strategy",
      strategy,
      strategy === "jwt" || strategy === "database",
      '"jwt" or "database"',
      'Choose "jwt" (in the cookie) or "database" (in the adapter), or leave it out.',
    ),
    checkOption(
      "jwt.maxAge",
      jwt.maxAge,
      // Where it is that of the session, it was looked at already.
      jwt.maxAge === maxAge || (Number.isFinite(jwt.maxAge) && jwt.maxAge > 0),
      "a number of seconds above zero",
      secondsHint,
    ),
  ]
}

/** The built-in page that each of the application's replaces. */
const builtInPagePaths: Readonly<Record<string, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
}

function checkPageUrls(
  { pages }: Partial<AuthConfig>,
  { basePath }: UncheckedConfig,
): OptionCheck[] {
  const definedPages = Object.entries(pages ?? {}).filter(([, url]) => url !== undefined)
  return definedPages.flatMap(([page, url]) => {
    const option = `pages.${page}`
    const path = typeof url === "string" ? url : ""
    const builtInPath = `${stripTrailingSlash(basePath)}/${builtInPagePaths[page]}`
    return [
      checkOption(
        option,
        url,
        isPageUrl(url),
        "a path that begins with a slash, or an http(s) URL",
        `Begin it with a slash, as in "/${path.replace(/^\W+/, "").slice(0, 40) || "login"}".`,
      ),
      checkOption(
        option,
        url,
        path.split(/[?#]/, 1)[0] !== builtInPath,
        "a page of the application",
        "The built-in page leads there, and so back to itself. Leave the option out to use that page.",
      ),
    ]
  })
}

function checkFunctions(authConfig: Partial<AuthConfig>): OptionCheck[] {
  const { callbacks, events, session, jwt, rateLimit } = authConfig
  const handlers = {
    ...prefixKeys("callbacks", callbacks),
    ...prefixKeys("events", events),
    "session.generateSessionToken": session?.generateSessionToken,
    "jwt.encode": jwt?.encode,
    "jwt.decode": jwt?.decode,
    rateLimit,
  }
  return Object.entries(handlers).map(([name, value]) =>
    checkOption(
      name,
      value,
      value === undefined || typeof value === "function",
      "a function",
      "Hand over the function itself, not what it returns; leave the option out for the default.",
    ),
  )
}

function prefixKeys(group: string, functions: object | undefined): Record<string, unknown> {
  const entries = Object.entries(typeof functions === "object" ? (functions ?? {}) : {})
  return Object.fromEntries(entries.map(([name, value]) => [`${group}.${name}`, value]))
}
