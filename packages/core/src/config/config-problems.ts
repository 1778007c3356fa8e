/** What is wrong with a configuration: all of it at once. */
import { type AuthError, UntrustedHost } from "../errors.ts"
import { findAdapterProblems } from "./adapter-problems.ts"
import type { AuthConfig } from "./auth-config.ts"
import { findCookieProblems } from "./cookie-problems.ts"
import { type ConfigWarning, describeValue, toOptionErrors } from "./option-check.ts"
import { checkOptions } from "./option-checks.ts"
import { checkOptionGroups } from "./option-group-checks.ts"
import { findProviderProblems } from "./provider-problems.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { findSecretProblems } from "./secret-problems.ts"
import { findUnknownOptions } from "./unknown-options.ts"
import { findUnusedOptions } from "./unused-options.ts"
import { findWebAuthnProblems } from "./webauthn-problems.ts"

type UncheckedConfig = Omit<ResolvedConfig, "problems" | "warnings">

/** What has to be mended before any request is served. */
export function findConfigErrors(
  authConfig: Partial<AuthConfig>,
  config: UncheckedConfig,
): AuthError[] {
  const providers = [...config.providers.values()]
  return [
    ...findHostProblems(authConfig),
    ...findSecretProblems(config),
    ...toOptionErrors([...checkOptions(authConfig), ...checkOptionGroups(authConfig, config)]),
    ...findCookieProblems(config),
    ...providers.flatMap((provider) => [...findProviderProblems(provider, config)]),
    ...findWebAuthnProblems(providers, authConfig, config),
    ...findAdapterProblems(authConfig, config, providers),
  ]
}

/** What is only worth a word. */
export function findOptionWarnings(
  authConfig: Partial<AuthConfig>,
  config: UncheckedConfig,
): ConfigWarning[] {
  return [...findUnknownOptions(authConfig), ...findUnusedOptions(authConfig, config)]
}

function* findHostProblems({ trustHost }: Partial<AuthConfig>): Generator<UntrustedHost> {
  if (trustHost === true) return
  yield new UntrustedHost({
    option: "trustHost",
    expected: "`trustHost` to be true",
    received: describeValue(trustHost),
    hint:
      "Links and cookies follow the host of the request. Set `trustHost: true` (or AUTH_TRUST_HOST=true, or " +
      "AUTH_URL) where the platform guarantees it.",
  })
}
