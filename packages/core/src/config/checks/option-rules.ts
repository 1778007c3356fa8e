/** The rules for the value of each option. An option that breaks its rule is an `InvalidOption`. */

import { attemptLimitsRule } from "../../actions/limits/limit-rules.ts"
import { describeValue, isPromise } from "../../errors/describe-value.ts"
import { ExperimentalFeatureNotEnabled, UntrustedHost } from "../../errors.ts"
import { isHostPattern, isOriginPattern } from "../../http/match-host.ts"
import { isObject } from "../../objects.ts"
import { raw, skipCSRFCheck } from "../../symbols.ts"
import { hasLeases } from "../adapter-methods.ts"
import type { AuthConfig } from "../auth-config.ts"
import { isPageUrl } from "../custom-pages.ts"
import { parseWebUrl } from "../environment.ts"
import type { ResolvedConfig } from "../resolved-config.ts"
import { createMembersRule, functionRule, type Rule } from "./rules.ts"

type OptionGroup = "session" | "jwt" | "callbacks" | "events" | "pages" | "experimental"
type MemberPath = {
  [Group in OptionGroup]: `${Group}.${string & keyof NonNullable<AuthConfig[Group]>}`
}[OptionGroup]

/** The options with a rule. The values of other options are never an error. */
export type CheckedOption =
  | Exclude<
      keyof AuthConfig,
      "debug" | "development" | "languages" | "logger" | "messages" | "theme"
    >
  | MemberPath

export type UncheckedConfig = Omit<ResolvedConfig, "problems">

type OptionRule = Rule<UncheckedConfig>

const basePathPattern = /^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)\/*$/

/** A hundred years, in seconds. */
const maxSessionAge = 3_155_760_000

const isLifetime = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxSessionAge

const lifetimeRule = createSecondsRule(
  isLifetime,
  "a whole number of seconds above zero, and at most a century",
)

/** `describe` never quotes a secret, not even one of the wrong type. */
const secretRule: OptionRule = {
  isValid: (value) => toArray(value ?? "").every((entry) => typeof entry === "string"),
  expected: "a string or an array of strings",
  describe: (value) =>
    toArray(value)
      .map((entry) => typeof entry)
      .join(", "),
  hint: "Check that the environment variables it is read from are set.",
}

const originsRule: OptionRule = {
  isValid: (value) => Array.isArray(value ?? []) && toArray(value ?? []).every(isOriginPattern),
  expected: "an array of origins",
  describe: (value) => toArray(value).map(describeValue).join(", "),
  hint:
    'Write each one as browsers do: "https://app.example.com", "http://localhost:5173". A host may begin with "*.", ' +
    'but "https://*.com" would trust everybody.',
}

const groupRule: OptionRule = {
  isValid: (value) => typeof value === "object" && !Array.isArray(value),
  expected: "an object",
  hint: (_, option) => `Write \`${option}: { … }\`, or omit it.`,
}

/** The methods find the other errors of the option. */
const secondFactorRule: OptionRule = {
  isValid: (value) =>
    isObject(value) && Array.isArray(value["methods"]) && isObject(value["methods"][0]),
  expected: "an object with `methods`",
  hint: "Write `{ methods: [totp(), recoveryCodes()] }`.",
}

const pageRule: OptionRule = {
  isValid: (value, config, option) => isPageUrl(value, option.replace("pages.", ""), config),
  expected: "a path that starts with a slash, or an http(s) URL, but not a built-in page",
  hint: 'Write it like "/login". To use the built-in page, omit the option.',
}

const isBoolean = (value: unknown): boolean => typeof value === "boolean"
const isSeconds = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0

/** The rules in the order in which they are checked. */
export const optionRules: Readonly<Record<CheckedOption, OptionRule>> = {
  trustHost: {
    ErrorClass: UntrustedHost,
    isRequired: true,
    isValid: (value) =>
      value === true || (Array.isArray(value) && value.length > 0 && value.every(isHostPattern)),
    expected: "true, or a list of hosts",
    hint:
      "Set AUTH_URL to the http(s) URL that users open, because links and cookies use the host of the request. Or list your " +
      'hosts: `trustHost: ["example.com"]`. If your platform guarantees that host, set `trustHost: true` or AUTH_TRUST_HOST=true.',
  },
  providers: {
    isRequired: true,
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
    hint: "Omit it to link an account only if the sign-in was started with `link: true`.",
  },
  useSecureCookies: createBooleanRule("Omit it to follow the scheme of the request."),
  useHostPrefix: {
    isValid: (value, { useSecureCookies }) =>
      value === false || ((value === true || value === "migrate") && useSecureCookies !== false),
    expected: 'false, or true or "migrate" with secure cookies',
    hint: "Omit it, or use https and omit `useSecureCookies`.",
  },
  secret: secretRule,
  "jwt.secret": secretRule,
  raw: createSymbolRule("raw", raw),
  skipCSRFCheck: createSymbolRule("skipCSRFCheck", skipCSRFCheck),
  adapter: {
    isValid: (value) => !value || (typeof value === "object" && !isPromise(value)),
    expected: "an object with the methods of an adapter",
    hint: "Write `adapter: SqlAdapter(database)`. Call it if it is a function, and await it if it is a promise.",
  },
  redirectProxyUrl: {
    isValid: (value) => parseWebUrl(value) !== undefined,
    expected: "an http(s) URL up to the base path",
    hint: 'Include the scheme, as in "https://example.com/auth".',
  },
  redirectProxySecret: {
    ...secretRule,
    isValid: (value, config, option) => {
      const [current] = toArray(value)
      const isShared = [...config.secrets, ...config.jwt.secrets].some((each) => each === current)
      return Boolean(current) && !isShared && secretRule.isValid(value, config, option)
    },
    expected: "a string or an array of strings, and not `secret`",
    hint: "Anybody who knows `secret` can sign in as any user, so a redirect proxy and its previews share another one.",
  },
  redirectProxyOrigins: originsRule,
  trustedOrigins: originsRule,
  mailer: {
    isValid: (value) => value === false || typeof Object(value).sendMessage === "function",
    expected: "false, or an object with a function `sendMessage`",
    hint: "Write `mailer: nodemailer({ server, from })`. The e-mail provider Loops cannot send other e-mails than links.",
  },
  ...createRules(["session", "jwt", "callbacks", "events"], groupRule),
  ...createRules(["pages", "cookies", "experimental"], groupRule),
  "experimental.enableWebAuthn": {
    ErrorClass: ExperimentalFeatureNotEnabled,
    isRequired: true,
    isValid: (value, { providers }) =>
      value === true ||
      [...providers.values()].every((each) => each.type !== "webauthn" || !each.isExperimental),
    expected: "true, because there is the passkey provider of Auth.js",
    hint: "Import `passkey` from `@latchkey/core/passkeys`, which needs no option; or, as with Auth.js, write `experimental: { enableWebAuthn: true }`.",
  },
  "session.maxAge": lifetimeRule,
  "session.updateAge": createSecondsRule(isSeconds, "a number of seconds, zero or more"),
  "session.idleTimeout": lifetimeRule,
  "session.absoluteTimeout": lifetimeRule,
  "session.rememberMe": createMembersRule(
    { default: isBoolean, temporaryMaxAge: isLifetime },
    "`default` is true or false, and `temporaryMaxAge` a whole number of seconds, such as 24 * 60 * 60.",
  ),
  "session.records": createMembersRule(
    {
      store: isObject, // its methods are checked where the adapter may be it
      deviceLabel: (value) => typeof value === "function",
      network: isBoolean,
      lastSeenInterval: isSeconds,
      pollInterval: isSeconds,
      maxStaleness: isSeconds,
    },
    "`store` is an adapter, `deviceLabel` a function, `network` true or false, and the others are seconds.",
  ),
  "session.strategy": {
    isValid: (value) => value === "jwt" || value === "database",
    expected: '"jwt" or "database"',
    hint: 'Choose "jwt" (in the cookie) or "database" (in the adapter), or omit it.',
  },
  "session.accept": {
    isValid: (value) =>
      Array.isArray(value) && value.every((each) => typeof each?.readToken === "function"),
    expected: "[nextAuth4] of `@latchkey/core/authjs`",
    describe: (value) => toArray(value).map(describeValue).join(", "),
    hint: "Omit it if no sessions of NextAuth.js 4 are left. Those of Auth.js 5 need no option.",
  },
  "session.providerTokens": createBooleanRule(
    "Write true to keep the tokens of providers in the session. With an adapter, they are in the accounts table.",
  ),
  "session.keepIdToken": createBooleanRule("Write true to keep the ID token in the session."),
  encryptTokens: createBooleanRule(
    "Write true to encrypt the tokens of providers in the database. Columns for tokens need room for twice their length.",
  ),
  leases: {
    isValid: hasLeases,
    expected: "a store with the methods acquireLease, completeLease and releaseLease",
    hint: "Set it to an adapter that has leases, such as `SqlAdapter` or `RedisAdapter`.",
  },
  "jwt.maxAge": createSecondsRule(
    (value) => value === null || (isSeconds(value) && value !== 0),
    "a number of seconds above zero",
  ),
  ...createRules(["pages.signIn", "pages.signUp", "pages.signOut"], pageRule),
  ...createRules(["pages.error", "pages.verifyRequest", "pages.newUser"], pageRule),
  ...createRules(["callbacks.signIn", "callbacks.redirect"], functionRule),
  ...createRules(["callbacks.session", "callbacks.jwt"], functionRule),
  ...createRules(["events.signIn", "events.signOut", "events.session"], functionRule),
  ...createRules(["events.createUser", "events.updateUser", "events.deleteUser"], functionRule),
  ...createRules(["events.linkAccount", "events.unlinkAccount"], functionRule),
  ...createRules(["events.addFactor", "events.removeFactor", "events.security"], functionRule),
  ...createRules(["session.generateSessionToken", "jwt.encode", "jwt.decode"], functionRule),
  ...createRules(["language", "rateLimit", "validateFlow"], functionRule),
  attemptLimits: attemptLimitsRule,
  secondFactor: secondFactorRule,
}

/** Creates the rules of several options that have the same one. */
function createRules<Option extends CheckedOption>(
  options: readonly Option[],
  rule: OptionRule,
): Record<Option, OptionRule> {
  const entries = options.map((option) => [option, rule])
  return Object.fromEntries(entries)
}

export function createBooleanRule(hint: string): OptionRule {
  return { isValid: (value) => isBoolean(value ?? true), expected: "true or false", hint }
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Another library's symbol would have no effect, and nobody would notice. */
function createSymbolRule(name: string, symbol: symbol): OptionRule {
  return {
    isValid: (value) => typeof value !== "symbol" || value === symbol,
    expected: "the symbol of @latchkey/core",
    hint: `Write: import { ${name} } from "@latchkey/core"`,
  }
}

function createSecondsRule(isValid: OptionRule["isValid"], expected: string): OptionRule {
  const hint = "Write seconds as a number, without quotes: 30 * 24 * 60 * 60 is thirty days."
  return { isValid, expected, hint }
}
