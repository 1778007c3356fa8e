/** What is wrong with a configuration: all of it at once. */
import { type AuthError, UntrustedHost } from "../errors.ts"
import { adapterProblems } from "./adapter-problems.ts"
import type { AuthConfig } from "./auth-config.ts"
import { cookieProblems } from "./cookie-problems.ts"
import { groupRules } from "./group-problems.ts"
import { idleOptions } from "./idle-advice.ts"
import { unknownOptions } from "./option-advice.ts"
import { optionRules } from "./option-problems.ts"
import { providerProblems } from "./provider-problems.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { type Advice, broken, described } from "./rule.ts"
import { secretProblems } from "./secret-problems.ts"
import { webAuthnProblems } from "./webauthn-problems.ts"

type Unchecked = Omit<ResolvedConfig, "problems" | "advice">

/** What has to be mended before any request is served. */
export function problemsOf(written: Partial<AuthConfig>, config: Unchecked): AuthError[] {
  const providers = [...config.providers.values()]
  return [
    ...hostProblems(written),
    ...secretProblems(config),
    ...broken([...optionRules(written), ...groupRules(written, config)]),
    ...cookieProblems(config),
    ...providers.flatMap((provider) => [...providerProblems(provider, config)]),
    ...webAuthnProblems(providers, written, config),
    ...adapterProblems(written, config, providers),
  ]
}

/** What is only worth a word. */
export function adviceOn(written: Partial<AuthConfig>, config: Unchecked): Advice[] {
  return [...unknownOptions(written), ...idleOptions(written, config)]
}

function* hostProblems({ trustHost }: Partial<AuthConfig>): Generator<UntrustedHost> {
  if (trustHost === true) return
  yield new UntrustedHost({
    option: "trustHost",
    expected: "`trustHost` to be true",
    came: described(trustHost),
    hint:
      "Links and cookies follow the host of the request. Set `trustHost: true` (or AUTH_TRUST_HOST=true, or " +
      "AUTH_URL) where the platform guarantees it.",
  })
}
