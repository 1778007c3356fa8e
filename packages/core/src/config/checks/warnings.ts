/**
 * Warnings about options that have no effect, or not the intended one. They break nothing. Only development mode and
 * tools load this module.
 */
import {
  contrastRules,
  findInvalidMessages,
  isLanguage,
  themeRules,
} from "@latchkey/pages/option-rules"
import { describeValue } from "../../errors/describe-value.ts"
import { AuthError } from "../../errors.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import { isObject } from "../../objects.ts"
import type { CookiesOptions, Theme, WarningCode } from "../../types.ts"
import type { AuthConfig } from "../auth-config.ts"
import { defaultCookies } from "../defaults.ts"
import { parseApplicationName } from "../resolve-config.ts"
import type { ResolvedConfig } from "../resolved-config.ts"
import { type CheckedOption, createBooleanRule, optionRules } from "./option-rules.ts"
import { type ConfigWarning, findProviderWarnings } from "./provider-rules.ts"
import { findBrokenRules, type Rule } from "./rules.ts"

/** Returns the warnings about a configuration. */
export function findConfigWarnings(
  authConfig: Partial<AuthConfig>,
  config: ResolvedConfig,
): ConfigWarning[] {
  const createWarnings = (type: WarningCode, errors: AuthError[]): ConfigWarning[] =>
    errors.map((error) => ({ type, error }))
  const checkRules = (type: WarningCode, rules: Readonly<Record<string, Rule<ResolvedConfig>>>) =>
    createWarnings(type, findBrokenRules(rules, authConfig, config))
  return [
    ...createWarnings("UnknownOption", findUnknownOptions(authConfig)),
    ...checkRules("IgnoredOption", ignoredOptionRules),
    ...checkRules("color-contrast", contrastRules),
    ...findProviderWarnings(config),
    ...createWarnings("attempt-limits", findUncountedCredentials(config)),
    ...checkRules("insecure-origin", insecureOriginRules),
  ]
}

const booleanRule = createBooleanRule("The option has no effect. Correct it, or leave it out.")

const tokenHookRule: Rule<ResolvedConfig> = {
  isValid: (hook, { session }) => session.strategy === "jwt" || typeof hook !== "function",
  expected: "omitted, because database sessions have no token and never call it",
  hint: 'Use `callbacks.session`, whose `user` is the stored user, or set `session: { strategy: "jwt" }`.',
}

const cookieTokensRule: Rule<ResolvedConfig> = {
  isValid: (isKept, { session }) => session.strategy === "jwt" || isKept !== true,
  expected: "omitted, because the accounts table has the tokens of providers",
  hint: "Remove it: database sessions do not need it.",
}

type UncheckedOption = Exclude<keyof AuthConfig, CheckedOption> | `theme.${keyof Theme}`

/** The rules for options whose invalid values are ignored, and for those that have no effect together with others. */
const ignoredOptionRules: Record<UncheckedOption | (string & {}), Rule<ResolvedConfig>> = {
  debug: booleanRule,
  development: booleanRule,
  logger: {
    ...booleanRule,
    isValid: isLogger,
    expected: "an object with the functions error, warn and debug",
  },
  languages: {
    isValid: (value) => Array.isArray(value) && value.every(isLanguage),
    expected: "an array of languages",
    hint: 'Import each one, such as `import german from "@latchkey/pages/languages/de"`, and write `languages: [german]`.',
  },
  messages: {
    isValid: (value) => isObject(value) && findInvalidMessages(value).length === 0,
    expected: "an object with texts, each with its placeholders",
    describe: (value) =>
      isObject(value) ? findInvalidMessages(value).join(", ") : describeValue(value),
    hint: "Correct the texts. Their keys and placeholders are those of the type `Messages`.",
  },
  theme: {
    ...booleanRule,
    isValid: (value) => typeof value === "object",
    expected: "an object",
  },
  ...themeRules,
  "theme.name": {
    isValid: (name) => (name ?? "") === "" || parseApplicationName(name) !== undefined,
    expected: "a text of up to 64 characters in one line",
    hint: "The pages use the default instead. Correct the option, or leave it out.",
  },
  "callbacks.jwt": tokenHookRule,
  "jwt.encode": tokenHookRule,
  "jwt.decode": tokenHookRule,
  "session.keepIdToken": cookieTokensRule,
  "session.providerTokens": cookieTokensRule,
  "session.updateAge": {
    isRequired: true,
    isValid: (_, { session: { maxAge, updateAge } }) =>
      !Number.isFinite(maxAge) || !Number.isFinite(updateAge) || updateAge <= maxAge,
    expected: "shorter than `session.maxAge`",
    describe: (_, { session: { maxAge, updateAge } }) => `${updateAge} s, and ${maxAge} s`,
    hint: "Sessions expire before they can be renewed, so users must sign in again after `maxAge`.",
  },
}

function isLogger(logger: unknown): boolean {
  if (typeof logger !== "object") return false
  const { error, warn, debug }: Record<string, unknown> = { ...logger }
  return [error, warn, debug].every((level) => typeof (level ?? isLogger) === "function")
}

const insecureOriginRules: Record<string, Rule<ResolvedConfig>> = {
  trustedOrigins: {
    isValid: (_, { development, trustedOrigins }) =>
      trustedOrigins.every((origin) => {
        const { protocol, hostname } = new URL(origin)
        return protocol === "https:" || (development && isLoopbackHost(hostname))
      }),
    expected: "https origins outside of development",
    hint: "Anybody who can change the unencrypted pages of an http origin can act for its visitors.",
  },
}

/** Auth.js options that are accepted, although nothing reads them. */
const unusedCookieKeys: readonly (keyof CookiesOptions)[] = ["nonce", "pkceCodeVerifier"]

/** The paths of all options, such as `session.maxAge`. */
const optionPaths: readonly string[] = [
  ...Object.keys({ ...optionRules, ...ignoredOptionRules }),
  ...[...Object.keys(defaultCookies), ...unusedCookieKeys].map((key) => `cookies.${key}`),
  "prefix", // an option of the framework packages
]

/** The maximum number of unknown options that are reported: another library's configuration has many. */
const maxUnknownOptions = 20

function findUnknownOptions(authConfig: Partial<AuthConfig>): AuthError[] {
  const paths = Object.entries(authConfig).flatMap(([name, value]) => {
    const isGroup = optionPaths.some((path) => path.startsWith(`${name}.`))
    const members = isGroup && isObject(value) ? Object.keys(value) : []
    return [name, ...members.map((member) => `${name}.${member}`)]
  })
  const unknownPaths = paths.filter((path) => !optionPaths.includes(path))
  return unknownPaths.slice(0, maxUnknownOptions).map(createUnknownOption)
}

function createUnknownOption(path: string): AuthError {
  const [name = "", group] = path.split(".").reverse()
  const suggestion = findSimilarOption(path, name)
  return new AuthError({
    option: path,
    expected: group === undefined ? "an option of the library" : `an option of \`${group}\``,
    received: `\`${path}\`, which is not an option`,
    hint: suggestion === undefined ? `Remove \`${path}\`.` : `Did you mean \`${suggestion}\`?`,
  })
}

/** Finds the option that was most likely meant: one with almost the same name, in the same group or in another one. */
function findSimilarOption(path: string, name: string): string | undefined {
  const normalize = (text: string) => text.replace(/[-_]|s$/g, "").toLowerCase()
  return (
    optionPaths.find((known) => normalize(known) === normalize(path)) ??
    optionPaths.find((known) => normalize(`.${known}`).endsWith(normalize(`.${name}`)))
  )
}

/** Finds providers of credentials whose attempts count for no account, because nothing says which field names it. */
function findUncountedCredentials({ providers, attemptLimits }: ResolvedConfig): AuthError[] {
  const { identifier, identifierAndNetwork } = attemptLimits.credentials
  if (!identifier && !identifierAndNetwork) return []
  return [...providers.values()].flatMap((provider) => {
    if (provider.type !== "credentials" || provider.identifierField) return []
    const option = `providers.${provider.id}.credentials`
    const expected = `\`${option}\` to declare the fields of the form, so that attempts are counted by account`
    const hint = "Write for example `credentials: { email: {}, password: {} }`."
    return [new AuthError({ option, expected, received: "no field that names the account", hint })]
  })
}
