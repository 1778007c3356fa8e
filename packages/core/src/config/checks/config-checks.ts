/** Finds the errors of a configuration. Every request is refused until there are none. */
import type { SessionRecordStore } from "../../adapters.ts"
import { describeValue, getErrorMessage, isPromise } from "../../errors/describe-value.ts"
import {
  type AuthError,
  DuplicateConditionalUI,
  InvalidOption,
  MissingAdapter,
} from "../../errors.ts"
import { type CookieDefinition, serializeCookie } from "../../http/cookies.ts"
import { findMissingMethods } from "../adapter-methods.ts"
import { createMissingMethodsError, requiredMethods } from "../adapter-store.ts"
import type { AuthConfig } from "../auth-config.ts"
import { createVariableHint } from "../environment.ts"
import { optionRules, type UncheckedConfig } from "./option-rules.ts"
import { findBrokenRules } from "./rules.ts"
import { checkSecrets } from "./secret-checks.ts"

/** Returns everything that must be fixed before a request can be served. */
export function findConfigErrors(
  authConfig: Partial<AuthConfig>,
  config: UncheckedConfig,
): AuthError[] {
  return [
    ...checkSecrets(config, (hint) => createVariableHint("AUTH_SECRET", hint)),
    ...findBrokenRules(optionRules, authConfig, config),
    ...checkCookies(config),
    ...checkConditionalUI(config),
    ...checkAdapter(config),
    ...checkSessionRecords(config),
    ...checkSecondFactor(config),
  ]
}

/** Lets the first method check the option. Without one, it breaks its rule. */
const checkSecondFactor = (config: UncheckedConfig): AuthError[] =>
  config.secondFactor?.methods?.[0]?.findConfigErrors?.(config) ?? []

function checkCookies({ cookies: { secure } }: UncheckedConfig): AuthError[] {
  const names = Object.values(secure).map(({ name }) => name)
  const duplicateName = names.find((name, index) => names.indexOf(name) < index)
  const errors = Object.entries(secure).flatMap(([key, each]) =>
    checkCookie(`cookies.${key}`, each),
  )
  if (duplicateName === undefined) return errors
  const expected = "each of the `cookies` to have its own name"
  const received = `\`${duplicateName}\` for two of them`
  const hint = "Rename one of them, or omit the names."
  return [new InvalidOption({ option: "cookies", expected, received, hint }), ...errors]
}

/** RFC 6265bis sections 4.1.3 and 5.7. */
function checkCookie(option: string, { name, options }: CookieDefinition): AuthError[] {
  const { domain, path, secure, sameSite, partitioned } = options
  const hasPrefix = (prefix: string) => typeof name === "string" && name.startsWith(prefix)
  const isHostOnly = domain === undefined && path === "/" && secure === true
  const needsSecure = hasPrefix("__Secure-") || sameSite === "none" || partitioned === true
  const headerError = findHeaderError({ name, options })
  const attributes = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => `${attribute}: ${describeValue(value)}`)
  const hints = [
    hasPrefix("__Host-") &&
      !isHostOnly &&
      "A __Host- cookie has no domain, the path / and Secure: omit these options, or the prefix and `useHostPrefix`.",
    needsSecure &&
      secure !== true &&
      "A __Secure- cookie, and one for other sites, is Secure: omit `secure`, or choose another name and `sameSite`.",
    headerError && `${headerError}.`,
  ]
  const expected = `\`${option}\` to be a cookie that browsers accept`
  const received = `${describeValue(name)} with ${attributes.join(", ")}`
  return hints.flatMap((hint) =>
    hint ? new InvalidOption({ option, expected, received, hint }) : [],
  )
}

function findHeaderError(cookie: CookieDefinition): string | undefined {
  try {
    serializeCookie({ ...cookie, value: "" })
    return undefined
  } catch (error) {
    return getErrorMessage(error)
  }
}

function checkConditionalUI({ providers }: UncheckedConfig): AuthError[] {
  const ids = [...providers.values()]
    .filter((provider) => provider.type === "webauthn" && provider.conditionalUI)
    .map(({ id }) => id)
  if (ids.length <= 1) return []
  const expected = `one provider with conditional UI, not ${ids.join(" and ")}`
  return [new DuplicateConditionalUI({ option: "providers", providers: ids, expected })]
}

/** Why a session strategy or a type of provider cannot work without an adapter. */
const adapterHints: Readonly<Record<string, (providerId: string) => string>> = {
  database: () => 'Database sessions need one: set `adapter`, or `session: { strategy: "jwt" }`.',
  email: (id) => `E-mail sign-in (${id}) stores its tokens in a database: set \`adapter\`.`,
  webauthn: (id) => `Passkeys (${id}) are stored in a database: set \`adapter\`.`,
}

function checkAdapter({ adapter, session, providers }: UncheckedConfig): AuthError[] {
  const isDatabase = session.strategy === "database"
  const sessions = isDatabase ? [{ id: "", type: "database" as const }] : []
  const dependents = [...sessions, ...providers.values()]
  if (!adapter) {
    const hints = dependents.flatMap(({ id, type }) => adapterHints[type]?.(id) ?? [])
    const details = { option: "adapter", expected: "an `adapter`", received: "nothing" }
    return hints.map((hint) => new MissingAdapter({ ...details, hint }))
  }
  const needed = new Set(dependents.flatMap(({ type }) => requiredMethods[type]))
  // A record has no token: its row is found among those of the user.
  if (isDatabase && session.records) needed.add("listSessions")
  const methods = findMissingMethods(adapter, [...needed])
  // A value that is not an adapter at all breaks the rule of the option.
  if (methods.length === 0 || typeof adapter !== "object" || isPromise(adapter)) return []
  return [createMissingMethodsError(methods, { option: "adapter" })]
}

/** The methods of a store of records, without which sessions cannot be recorded. */
const recordMethods: readonly Exclude<keyof SessionRecordStore, "watchSessionChanges">[] = [
  "saveSessionRecord",
  "getSessionRecord",
  "listSessionRecords",
  "findSessionRecords",
  "updateSessionRecord",
  "deleteSessionRecord",
  "saveSessionChange",
  "listSessionChanges",
]

/** Checks that sessions can be recorded where the option says. */
function checkSessionRecords({ adapter, session }: UncheckedConfig): AuthError[] {
  if (!session.records) return []
  const option = "session.records"
  const { store } = session.records
  if (!store) {
    const hint = "Set `adapter`, or `session: { records: { store } }`."
    return [new MissingAdapter({ option, expected: "an `adapter`", received: "nothing", hint })]
  }
  const errors: AuthError[] = []
  const methods = findMissingMethods(store, recordMethods)
  if (methods.length > 0) {
    const expected = `the store of \`session.records\` to have ${methods.join(", ")}`
    const hint =
      "Pass `sessionRecords: true` to SqlAdapter (with MikroORM, to defineEntities) and migrate the database, or use an " +
      "adapter that has these methods."
    errors.push(createMissingMethodsError(methods, { option, expected, hint }))
  }
  // The id of a recorded database session is a hash of its token, by which its row is found.
  if (session.strategy !== "jwt" && adapter?.hashesSessionTokens) {
    const expected = "an adapter that returns the tokens of sessions"
    const received = "one with `hashesSessionTokens`"
    const hint = 'Omit it, or set `session: { strategy: "jwt" }`.'
    errors.push(new InvalidOption({ option, expected, received, hint }))
  }
  return errors
}
