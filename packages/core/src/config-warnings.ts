/**
 * Warnings about options that have no effect, or not the intended one. They break nothing. Only development mode and
 * tools load this module.
 */
import type { AuthConfig } from "./config/auth-config.ts"
import type { CheckDetails } from "./config/check.ts"
import { cookieKeys } from "./config/cookie-definitions.ts"
import { getProviderVariable } from "./config/environment.ts"
import {
  type CheckedOption,
  findBrokenRules,
  type OptionRule,
  optionRules,
} from "./config/option-rules.ts"
import type { ResolvedConfig } from "./config/resolved-config.ts"
import { AuthError } from "./errors.ts"
import type { Logger } from "./logging/logger.ts"
import { parseColor } from "./pages/color.ts"
import { parseThemeImage } from "./pages/images.ts"
import type { ResolvedProvider } from "./providers/resolved-provider.ts"
import type { CookiesOptions, Theme } from "./types.ts"

export interface ConfigWarning extends CheckDetails {
  readonly type: "UnknownOption" | "IgnoredOption" | "IncompleteProvider"
  readonly hint: string
}

type CheckedConfig = Pick<ResolvedConfig, "session" | "providers">

/** Returns the warnings about a configuration. */
export function findConfigWarnings(
  authConfig: Partial<AuthConfig>,
  config: CheckedConfig,
): ConfigWarning[] {
  return [
    ...findUnknownOptions(authConfig),
    ...findUncalledHooks(authConfig, config),
    ...findUnreachableRenewal(config),
    ...findBrokenRules(authConfig, warningRules).map(
      (details): ConfigWarning => ({
        type: "IgnoredOption",
        hint: "The option has no effect. Correct it, or leave it out.",
        ...details,
      }),
    ),
    ...[...config.providers.values()].flatMap(findMissingClientSecret),
  ]
}

/** Formats a warning like the message of an error. */
export function formatConfigWarning({
  type: _,
  option: __,
  ...details
}: Omit<ConfigWarning, "type"> & { readonly type: string }): string {
  return new AuthError(details).message
}

/** Logs each warning about a configuration once. */
export function logConfigWarnings(
  authConfig: Partial<AuthConfig>,
  config: CheckedConfig,
  log: Logger,
  reportedWarnings: Set<string>,
): void {
  for (const warning of findConfigWarnings(authConfig, config)) {
    const text = formatConfigWarning(warning)
    if (!reportedWarnings.has(text)) log.warn(warning.type, text)
    reportedWarnings.add(text)
  }
}

const isOptionalBoolean = (value: unknown) => typeof (value ?? true) === "boolean"
const booleanRule: OptionRule = { isValid: isOptionalBoolean, expected: "true or false" }
const colorRule = createThemeRule((value) => parseColor(value) !== undefined, "a CSS colour")

/** The rules for options whose invalid values are ignored. */
const warningRules: Readonly<
  Record<
    Exclude<keyof AuthConfig, CheckedOption | "trustHost"> | `theme.${keyof Theme}`,
    OptionRule
  >
> = {
  debug: booleanRule,
  development: booleanRule,
  logger: { isValid: isLogger, expected: "an object with the functions error, warn and debug" },
  theme: { isValid: (value) => typeof value === "object", expected: "an object" },
  "theme.colorScheme": createThemeRule(
    (value) => ["auto", "dark", "light"].includes(value),
    '"auto", "dark" or "light"',
  ),
  "theme.logo": createThemeRule(
    (value) => parseThemeImage(value) !== undefined,
    "a path, a data URL or an https URL",
  ),
  "theme.brandColor": colorRule,
  "theme.buttonText": colorRule,
}

function isLogger(logger: unknown): boolean {
  if (typeof logger !== "object") return false
  const { error, warn, debug }: Record<string, unknown> = { ...logger }
  return [error, warn, debug].every((level) => typeof (level ?? isLogger) === "function")
}

/** An empty string selects the default. */
function createThemeRule(isUsable: (value: string) => boolean, expected: string): OptionRule {
  return {
    isValid: (value) => (value ?? "") === "" || (typeof value === "string" && isUsable(value)),
    expected,
    hint: "The pages use the default instead. Correct the option, or leave it out.",
  }
}

/** Auth.js options that are accepted, although nothing reads them. */
const unusedCookieKeys: readonly (keyof CookiesOptions)[] = ["nonce", "pkceCodeVerifier"]

/** The paths of all options, such as `session.maxAge`. */
const optionPaths: readonly string[] = [
  "trustHost",
  ...Object.keys({ ...optionRules, ...warningRules }),
  ...[...cookieKeys, ...unusedCookieKeys].map((key) => `cookies.${key}`),
]

/** The options that hold others; the empty string stands for the configuration itself. */
const optionGroups = new Set(optionPaths.map(getGroup))

/** Options that the framework packages add. */
const frameworkOptions: readonly string[] = ["prefix"]

/** The maximum number of unknown options that are reported: another library's configuration has many. */
const maxUnknownOptions = 20

function joinPath(group: string, name: string): string {
  return group === "" ? name : `${group}.${name}`
}

function getGroup(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf(".")))
}

function findUnknownOptions(authConfig: Partial<AuthConfig>): ConfigWarning[] {
  const paths = [...optionGroups].flatMap((group) => {
    const holder: unknown = group === "" ? authConfig : authConfig[group as keyof AuthConfig]
    if (typeof holder !== "object" || holder === null || Array.isArray(holder)) return []
    return Object.keys(holder).map((name) => joinPath(group, name))
  })
  return paths
    .filter((path) => !optionPaths.includes(path) && !frameworkOptions.includes(path))
    .slice(0, maxUnknownOptions)
    .map(createUnknownOption)
}

function createUnknownOption(path: string): ConfigWarning {
  const group = getGroup(path)
  const suggestion = findNearestOption(path)
  return {
    type: "UnknownOption",
    option: path,
    expected: group === "" ? "an option of the library" : `an option of \`${group}\``,
    received: `\`${path}\`, which is not an option`,
    hint: suggestion === undefined ? `Remove \`${path}\`.` : `Did you mean \`${suggestion}\`?`,
  }
}

/** Finds the option that was most likely meant: a similar name in the same group, or the same name in another. */
function findNearestOption(path: string): string | undefined {
  const group = getGroup(path)
  const getName = (each: string) => each.slice(each.indexOf(".") + 1)
  const name = getName(path)
  // In a short word, two changes make another word.
  const maxEdits = name.length < 6 ? 1 : 2
  const measure = (known: string) => editDistance(name, getName(known))
  return (
    optionPaths.find((known) => getGroup(known) === group && measure(known) <= maxEdits) ??
    optionPaths.find((known) => measure(known) === 0)
  )
}

/** Counts the letters to add, remove or change. Ignores capitals and separators. */
function editDistance(a: string, b: string): number {
  const [from, to] = [normalizeName(a), normalizeName(b)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function normalizeName(name: string): string {
  return name.slice(0, 40).replace(/[-_]/g, "").toLowerCase()
}

/** Database sessions have no token, so the hooks for tokens are never called. */
function findUncalledHooks(
  { callbacks: configured, jwt }: Partial<AuthConfig>,
  { session }: CheckedConfig,
): ConfigWarning[] {
  const hooks = {
    "callbacks.jwt": configured?.jwt,
    "jwt.encode": jwt?.encode,
    "jwt.decode": jwt?.decode,
  }
  return Object.entries(hooks)
    .filter(([, hook]) => session.strategy === "database" && typeof hook === "function")
    .map(([option]) => ({
      type: "IgnoredOption",
      option,
      expected: `\`${option}\` only with \`session: { strategy: "jwt" }\``,
      received: "database sessions, which never call it",
      hint: 'Use `callbacks.session`, whose `user` is the stored user, or set `session: { strategy: "jwt" }`.',
    }))
}

function findUnreachableRenewal({ session }: CheckedConfig): ConfigWarning[] {
  const { maxAge, updateAge } = session
  if (![maxAge, updateAge].every(Number.isFinite) || updateAge <= maxAge) return []
  return [
    {
      type: "IgnoredOption",
      option: "session.updateAge",
      expected: "`session.updateAge` to be shorter than `session.maxAge`",
      received: `${updateAge} s, and ${maxAge} s`,
      hint: "Sessions expire before they can be renewed, so users must sign in again after `maxAge`.",
    },
  ]
}

function findMissingClientSecret(provider: ResolvedProvider): ConfigWarning[] {
  if (provider.type !== "oauth" && provider.type !== "oidc") return []
  const { id, clientAuthMethod, clientSecret, token } = provider
  if (!/^client_secret_/.test(clientAuthMethod) || clientSecret || token.clientSecret) return []
  return [
    {
      type: "IncompleteProvider",
      option: `providers.${id}.clientSecret`,
      expected: `provider ${id} to have a \`clientSecret\``,
      received: "nothing",
      hint:
        `Set \`clientSecret\`, or ${getProviderVariable(id, "SECRET")}. ` +
        'For a public client, set `client: { token_endpoint_auth_method: "none" }`.',
    },
  ]
}
