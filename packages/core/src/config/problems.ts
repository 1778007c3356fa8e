/** What is wrong with a configuration: all of it at once. */
import { MissingSecret, UntrustedHost, WeakSecret } from "../errors.ts"
import { adapterProblems } from "./adapter-problems.ts"
import type { AuthConfig } from "./auth-config.ts"
import { providerProblems } from "./provider-problems.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { shapeProblems } from "./shape-problems.ts"

/** Fewest characters of a secret. */
const shortestSecret = 32

type Unchecked = Omit<ResolvedConfig, "problems">

export function problemsOf(written: Partial<AuthConfig>, config: Unchecked): Error[] {
  const providers = [...config.providers.values()]
  return [
    ...hostProblems(written),
    ...secretProblems(config),
    ...shapeProblems(written, config),
    ...providers.flatMap((provider) => [...providerProblems(provider, written, config)]),
    ...adapterProblems(written, config, providers),
  ]
}

function* hostProblems(written: Partial<AuthConfig>): Generator<Error> {
  if (written.trustHost === true) return
  yield new UntrustedHost({
    expected: "`trustHost` to be true",
    hint:
      "Links and cookies follow the host of the request. Set `trustHost: true` (or AUTH_TRUST_HOST=true) " +
      "where the platform guarantees it.",
  })
}

function* secretProblems(config: Unchecked): Generator<Error> {
  if (config.secrets.length === 0 || config.jwt.secrets.length === 0) {
    yield new MissingSecret({
      expected: "a `secret`",
      hint: `Set \`secret\` (or AUTH_SECRET) to at least ${shortestSecret} random characters.`,
    })
  }
  if ([...config.secrets, ...config.jwt.secrets].some(({ length }) => length < shortestSecret)) {
    yield new WeakSecret({
      expected: `every secret to have at least ${shortestSecret} characters`,
      hint: "Make one with: openssl rand -base64 33",
    })
  }
}
