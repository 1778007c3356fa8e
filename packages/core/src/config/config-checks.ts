/** The checks of a configuration. Every request is refused until all of them pass. */
import { describeValue, isPromise } from "../errors/describe-value.ts"
import {
  type AuthError,
  InvalidOption,
  MissingAdapter,
  MissingAdapterMethods,
  MissingSecret,
  UntrustedHost,
  WeakSecret,
} from "../errors.ts"
import { type CookieDefinition, serializeCookie } from "../http/cookies.ts"
import type { ProviderType } from "../types.ts"
import { type AdapterUse, adapterMethodUses } from "./adapter-store.ts"
import type { AuthConfig } from "./auth-config.ts"
import { type ConfigCheck, catchError, check } from "./check.ts"
import { findInvalidOptions } from "./option-rules.ts"
import { checkPasskeyProviders, checkProvider } from "./provider-checks.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { describeWeakness, minSecretLength } from "./secret-strength.ts"

type UncheckedConfig = Omit<ResolvedConfig, "problems">

/** Returns everything that must be fixed before a request can be served. */
export function findConfigErrors(
  authConfig: Partial<AuthConfig>,
  config: UncheckedConfig,
): AuthError[] {
  const providers = [...config.providers.values()]
  return [
    ...checkHost(authConfig),
    ...checkSecrets(config),
    ...findInvalidOptions(authConfig),
    ...checkCookies(config),
    ...providers.flatMap((provider) => checkProvider(provider, authConfig)),
    ...checkPasskeyProviders(providers),
    ...checkAdapter(config),
  ]
}

function checkHost({ trustHost }: Partial<AuthConfig>): ConfigCheck {
  return check(trustHost === true, UntrustedHost, {
    option: "trustHost",
    expected: "`trustHost` to be true",
    received: describeValue(trustHost),
    hint:
      "Links and cookies use the host of the request. If your platform guarantees that host, set " +
      "`trustHost: true`, AUTH_TRUST_HOST=true or AUTH_URL.",
  })
}

const generateHint = "Generate one with: openssl rand -base64 33"

function checkSecrets({ secrets, jwt }: UncheckedConfig): ConfigCheck {
  const option = secrets.length === 0 ? "secret" : "jwt.secret"
  const checkStrength = (name: string, list: readonly string[]) =>
    list.flatMap((secret, index) => {
      const path = list.length > 1 ? `${name}[${index}]` : name
      const weakness = describeWeakness(secret)
      return check(weakness === undefined, WeakSecret, {
        option: path,
        expected: `\`${path}\` to have at least ${minSecretLength} characters that nobody can guess`,
        received: weakness ?? "",
        hint: generateHint,
      })
    })
  return [
    ...check(secrets.length > 0 && jwt.secrets.length > 0, MissingSecret, {
      option,
      expected: "a `secret`",
      received: "nothing",
      hint: `Set \`${option}\` (or AUTH_SECRET) to at least ${minSecretLength} random characters. ${generateHint}`,
    }),
    ...checkStrength("secret", secrets),
    ...checkStrength("jwt.secret", jwt.secrets === secrets ? [] : jwt.secrets),
  ]
}

function checkCookies({ cookies: { secure } }: UncheckedConfig): ConfigCheck {
  const names = Object.values(secure).map(({ name }) => name)
  const duplicateName = names.find((name, index) => names.indexOf(name) < index)
  return [
    ...check(duplicateName === undefined, InvalidOption, {
      option: "cookies",
      expected: "each of the `cookies` to have its own name",
      received: `\`${duplicateName}\` for two of them`,
      hint: "Rename one of them, or omit the names.",
    }),
    ...Object.entries(secure).flatMap(([key, cookie]) => checkCookie(`cookies.${key}`, cookie)),
  ]
}

/** RFC 6265bis sections 4.1.3 and 5.7. */
function checkCookie(option: string, { name, options }: CookieDefinition): ConfigCheck {
  const { domain, path, secure, sameSite, partitioned } = options
  const hasPrefix = (prefix: string) => String(name).startsWith(prefix)
  const isCrossSite = sameSite === "none" || partitioned === true
  const checkRule = (isValid: boolean, attributes: object, rule: string, hint: string) =>
    check(isValid, InvalidOption, {
      option,
      expected: `\`${option}\` to be a cookie that browsers accept: ${rule}`,
      received: `\`${name}\` with ${formatAttributes(attributes)}`,
      hint,
    })
  const headerError = catchError(() => serializeCookie({ name, value: "", options }))
  return [
    ...checkRule(
      !hasPrefix("__Host-") || (domain === undefined && path === "/" && secure === true),
      { domain, path, secure },
      "a __Host- cookie has no domain, the path / and Secure",
      "Omit `domain`, `path` and `secure`, or choose a name without the prefix.",
    ),
    ...checkRule(
      !hasPrefix("__Secure-") || secure === true,
      { secure },
      "a __Secure- cookie is Secure",
      "Omit `secure`, or choose a name without the prefix.",
    ),
    ...checkRule(
      !isCrossSite || secure === true,
      { sameSite, partitioned, secure },
      "a cross-site cookie is Secure",
      'Omit `secure`, or choose `sameSite: "lax"`.',
    ),
    ...check(headerError === undefined, InvalidOption, {
      option,
      expected: `\`${option}\` to be a cookie that a header can carry`,
      ...(headerError instanceof Error ? { received: headerError.message } : {}),
      hint: "A name has no spaces or separators, `maxAge` is a whole number of seconds, and `domain` is a host name.",
      cause: headerError,
    }),
  ]
}

function formatAttributes(attributes: object): string {
  const definedAttributes = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return definedAttributes.map(([name, value]) => `${name}: ${value}`).join(", ")
}

/** The parts of the adapter that each type of provider needs. */
const providerUses: Readonly<Record<ProviderType, readonly AdapterUse[]>> = {
  credentials: [],
  oauth: ["users"],
  oidc: ["users"],
  email: ["users", "links"],
  webauthn: ["passkeys"],
}

function checkAdapter(config: UncheckedConfig): ConfigCheck {
  const { adapter, adapterMethods, session, providers } = config
  const usesDatabaseSessions = session.strategy === "database"
  const uses: readonly AdapterUse[] = [
    ...[...providers.values()].flatMap(({ type }) => providerUses[type]),
    ...(usesDatabaseSessions ? (["sessions"] as const) : []),
  ]
  const isAdapter = typeof adapter === "object" && adapter !== null && !isPromise(adapter)
  const missingMethods = Object.entries(adapterMethodUses)
    .filter(([, neededFor]) => neededFor.some((use) => uses.includes(use)))
    .map(([name]) => name)
    .filter((name) => !adapterMethods.has(name as keyof typeof adapterMethodUses))
  return [
    ...check(!usesDatabaseSessions || Boolean(adapter), MissingAdapter, {
      option: "adapter",
      expected: "an `adapter`",
      received: "nothing",
      hint: 'Database sessions need one: set `adapter`, or `session: { strategy: "jwt" }`.',
    }),
    // If the value is not an adapter at all, it breaks the rule of the option.
    ...check(!isAdapter || missingMethods.length === 0, MissingAdapterMethods, {
      option: "adapter",
      methods: missingMethods,
      expected: `the adapter to have ${missingMethods.join(", ")}`,
      hint: "Use a newer version of the adapter or another one, or remove the providers that need these methods.",
    }),
  ]
}
