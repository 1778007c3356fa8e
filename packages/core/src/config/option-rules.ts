/** The rules for the value of each option. An option that breaks its rule is an `InvalidOption`. */
import type { JWTOptions } from "../crypto/jwt.ts"
import { describeValue, isPromise } from "../errors/describe-value.ts"
import { InvalidOption } from "../errors.ts"
import { raw, skipCSRFCheck } from "../symbols.ts"
import type { AuthConfig, SessionOptions } from "./auth-config.ts"
import { isPageUrl } from "./custom-pages.ts"
import { parseWebUrl } from "./web-url.ts"

/** The options with a rule. `*` stands for every member of an option. */
export type CheckedOption =
  | Exclude<keyof AuthConfig, "debug" | "development" | "logger" | "theme" | "trustHost">
  | `session.${keyof SessionOptions}`
  | `jwt.${keyof JWTOptions}`
  | "callbacks.*"
  | "events.*"
  | "pages.*"

export interface OptionRule {
  readonly isValid: (value: unknown) => boolean
  /** Completes the sentence "Expected `option` to be …". */
  readonly expected: string
  readonly hint?: string | ((value: unknown) => string)
  /** @defaultValue {@link describeValue} */
  readonly describe?: (value: unknown) => string
}

const basePathPattern = /^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)\/*$/
const originPattern = /^https?:\/\/(?:\*\.)?[^*/?#@\\\s]+$/

/** A hundred years, in seconds. */
const maxSessionAge = 3_155_760_000

const secondsHint = "Write seconds as a number, without quotes: 30 * 24 * 60 * 60 is thirty days."

const functionRule: OptionRule = {
  isValid: (value) => typeof value === "function",
  expected: "a function",
  hint: "Pass the function itself, not its result, or omit the option to use the default.",
}

/** `describe` never quotes a secret, not even one of the wrong type. */
const secretRule: OptionRule = {
  isValid: (value) => toArray(value ?? "").every((entry) => typeof entry === "string"),
  expected: "a string or an array of strings",
  describe: (value) =>
    toArray(value)
      .map((entry) => (entry === undefined ? "nothing" : `a ${typeof entry}`))
      .join(", "),
  hint: "Check that the environment variables it is read from are set.",
}

/** The rules in the order in which they are checked. An omitted option is valid, except `providers`. */
export const optionRules: Readonly<Record<CheckedOption, OptionRule>> = {
  providers: {
    isValid: Array.isArray,
    expected: "an array",
    hint: "Write `providers: [google]`, even if there is only one provider or none.",
  },
  basePath: {
    isValid: (value) => typeof value === "string" && basePathPattern.test(value),
    expected: 'a path such as "/auth"',
    hint: 'Start it with a slash, as in "/auth" or "/api/auth". The origin comes from the request or AUTH_URL.',
  },
  accountLinking: {
    isValid: (value) => value === "explicit" || value === "signed-in",
    expected: '"explicit" or "signed-in"',
  },
  useSecureCookies: {
    isValid: (value) => typeof (value ?? true) === "boolean",
    expected: "true or false",
    hint: "Omit it to follow the scheme of the request.",
  },
  secret: secretRule,
  "jwt.secret": secretRule,
  raw: createSymbolRule("raw", raw),
  skipCSRFCheck: createSymbolRule("skipCSRFCheck", skipCSRFCheck),
  adapter: {
    isValid: (value) => !value || (typeof value === "object" && !isPromise(value)),
    expected: "an object with the methods of an adapter",
    hint: suggestAdapter,
  },
  redirectProxyUrl: {
    isValid: (value) => parseWebUrl(value) !== undefined,
    expected: "an http(s) URL up to the base path",
    hint: 'Include the scheme, as in "https://example.com/auth".',
  },
  redirectProxyOrigins: {
    isValid: (value) => Array.isArray(value ?? []) && toArray(value ?? []).every(isOriginPattern),
    expected: "an array of origins",
    describe: (value) =>
      describeValue(
        Array.isArray(value) ? value.find((origin) => !isOriginPattern(origin)) : value,
      ),
    hint: 'Write each one with its scheme and without a path: "https://preview.example.com", "https://*.example.com".',
  },
  session: createGroupRule("session"),
  jwt: createGroupRule("jwt"),
  callbacks: createGroupRule("callbacks"),
  events: createGroupRule("events"),
  pages: createGroupRule("pages"),
  cookies: createGroupRule("cookies"),
  experimental: createGroupRule("experimental"),
  "session.maxAge": {
    isValid: (value) =>
      Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxSessionAge,
    expected: "a whole number of seconds above zero, and at most a century",
    hint: secondsHint,
  },
  "session.updateAge": {
    isValid: (value) => Number.isFinite(value) && Number(value) >= 0,
    expected: "a number of seconds, zero or more",
    hint: secondsHint,
  },
  "session.strategy": {
    isValid: (value) => value === "jwt" || value === "database",
    expected: '"jwt" or "database"',
    hint: 'Choose "jwt" (in the cookie) or "database" (in the adapter), or omit it.',
  },
  "jwt.maxAge": {
    isValid: (value) => value === null || (Number.isFinite(value) && Number(value) > 0),
    expected: "a number of seconds above zero",
    hint: secondsHint,
  },
  "pages.*": {
    isValid: isPageUrl,
    expected: "a path that starts with a slash, or an http(s) URL",
    hint: suggestPath,
  },
  "callbacks.*": functionRule,
  "events.*": functionRule,
  "session.generateSessionToken": functionRule,
  "jwt.encode": functionRule,
  "jwt.decode": functionRule,
  rateLimit: functionRule,
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function isOriginPattern(value: unknown): boolean {
  return typeof value === "string" && originPattern.test(value)
}

/** Another library's symbol would have no effect, and nobody would notice. */
function createSymbolRule(name: string, symbol: symbol): OptionRule {
  return {
    isValid: (value) => typeof value !== "symbol" || value === symbol,
    expected: "the symbol of @latchkey/core",
    hint: `Write: import { ${name} } from "@latchkey/core"`,
  }
}

function createGroupRule(name: string): OptionRule {
  return {
    isValid: (value) => typeof value === "object" && !Array.isArray(value),
    expected: "an object",
    hint: `Write \`${name}: { … }\`, or omit it.`,
  }
}

function suggestAdapter(value: unknown): string {
  if (typeof value === "function") return "Call it: `adapter: SqlAdapter(database)`."
  return isPromise(value)
    ? "Write `adapter: await …`, or create the configuration once the adapter is ready."
    : "Write `adapter: SqlAdapter(database)`, or omit it."
}

function suggestPath(value: unknown): string {
  const path = typeof value === "string" ? value.replace(/^\W+/, "").slice(0, 40) : ""
  return `Start it with a slash, as in "/${path || "login"}".`
}

/** An option that breaks its rule, in the words of an error. */
interface BrokenRule {
  readonly option: string
  readonly expected: string
  readonly received: string
  readonly hint?: string
}

/** Returns an error for each option that breaks its rule. */
export function findInvalidOptions(authConfig: Partial<AuthConfig>): InvalidOption[] {
  const config = { ...authConfig, providers: authConfig.providers ?? null }
  return findBrokenRules(config, optionRules).map((details) => new InvalidOption({ ...details }))
}

/** Returns the options of a configuration that break a rule. Options that are undefined are valid. */
export function findBrokenRules(
  config: object,
  rules: Readonly<Record<string, OptionRule>>,
): BrokenRule[] {
  return Object.entries(rules).flatMap(([path, rule]) =>
    readOptions(config, path)
      .filter(([, value]) => value !== undefined && !rule.isValid(value))
      .map(([option, value]) => describeBrokenRule(option, value, rule)),
  )
}

function readOptions(config: object, path: string): [option: string, value: unknown][] {
  const [group = "", member] = path.split(".")
  const value = readMember(config, group)
  if (member === undefined) return [[path, value]]
  if (member !== "*") return [[path, readMember(value, member)]]
  const entries = Object.entries(typeof value === "object" ? (value ?? {}) : {})
  return entries.map(([name, each]) => [`${group}.${name}`, each])
}

function readMember(holder: unknown, name: string): unknown {
  return (holder as Readonly<Record<string, unknown>> | null | undefined)?.[name]
}

function describeBrokenRule(
  option: string,
  value: unknown,
  { expected, hint, describe = describeValue }: OptionRule,
): BrokenRule {
  return {
    option,
    expected: `\`${option}\` to be ${expected}`,
    received: describe(value),
    ...(hint === undefined ? {} : { hint: typeof hint === "string" ? hint : hint(value) }),
  }
}
