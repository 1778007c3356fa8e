/** What is wrong with a configuration: all of it at once. */
import type { Adapter } from "../adapters.ts"
import {
  ExperimentalFeatureNotEnabled,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  UntrustedHost,
  WeakSecret,
} from "../errors.ts"
import { assertTransport } from "../http/outbound.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

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
  const all = new Set([...config.secrets, ...config.jwt.secrets])
  if ([...all].some((secret) => typeof secret !== "string" || secret.length < shortestSecret)) {
    yield new WeakSecret({
      expected: `every secret to have at least ${shortestSecret} characters`,
      hint: "Make one with: openssl rand -base64 33",
    })
  }
}

function* shapeProblems(written: Partial<AuthConfig>, config: Unchecked): Generator<Error> {
  if (!Array.isArray(written.providers)) yield new TypeError("`providers` must be an array")
  if (!/^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)$/.test(config.basePath)) {
    yield new TypeError('`basePath` must be a path such as "/auth"')
  }
  const { maxAge, updateAge, strategy } = config.session
  if (!Number.isInteger(maxAge) || maxAge <= 0) {
    yield new TypeError("`session.maxAge` must be a whole number of seconds above zero")
  }
  if (!Number.isFinite(updateAge) || updateAge < 0) {
    yield new TypeError("`session.updateAge` must be a number of seconds, zero or more")
  }
  if (strategy !== "jwt" && strategy !== "database") {
    yield new TypeError('`session.strategy` must be "jwt" or "database"')
  }
  for (const [page, url] of Object.entries(config.pages)) {
    if (!/^(?:\/(?![/\\])|https?:\/\/)/.test(String(url))) {
      yield new TypeError(
        `\`pages.${page}\` must be a path that begins with a slash, or an http(s) URL`,
      )
    }
  }
}

function* providerProblems(
  provider: ResolvedProvider,
  written: Partial<AuthConfig>,
  config: Unchecked,
): Generator<Error> {
  const { id } = provider
  if (provider.type === "oauth" || provider.type === "oidc") yield* endpointProblems(provider)
  if (provider.type === "credentials" && typeof provider.authorize !== "function") {
    yield new MissingAuthorize({ provider: id, expected: `provider ${id} to have \`authorize\`` })
  }
  if (provider.type === "email" && !config.store) {
    yield new MissingAdapter({
      provider: id,
      hint: `Sign-in by e-mail (${id}) keeps its tokens in a database: set \`adapter\`.`,
    })
  }
  if (provider.type === "webauthn") {
    const enabled = written.experimental?.enableWebAuthn === true
    yield new ExperimentalFeatureNotEnabled({
      provider: id,
      hint: enabled
        ? `This version cannot serve the WebAuthn provider ${id}: remove it.`
        : `Provider ${id} needs \`experimental.enableWebAuthn\`.`,
    })
  }
}

function* endpointProblems(provider: ResolvedOAuthProvider): Generator<Error> {
  const { id, issuer, authorization, token, userinfo } = provider
  if (!provider.clientId) {
    yield new InvalidEndpoints({ provider: id, expected: `provider ${id} to have a \`clientId\`` })
  }
  if (provider.type === "oidc" && !issuer) {
    yield new InvalidEndpoints({ provider: id, expected: `provider ${id} to have an \`issuer\`` })
  }
  const missing = Object.entries({ authorization, token, userinfo }).find(([name, endpoint]) =>
    issuer ? false : name === "userinfo" ? !endpoint.url && !userinfo.request : !endpoint.url,
  )
  if (missing && provider.type === "oauth") {
    yield new InvalidEndpoints({
      provider: id,
      expected: `provider ${id} to have an \`issuer\`, or a URL for \`${missing[0]}\``,
    })
  }
  const urls = { issuer, wellKnown: provider.wellKnown, jwks_endpoint: provider.jwksUri }
  const all = {
    ...urls,
    authorization: authorization.url,
    token: token.url,
    userinfo: userinfo.url,
  }
  for (const [name, url] of Object.entries(all)) yield* urlProblems(provider, name, url)
}

function* urlProblems(
  provider: ResolvedOAuthProvider,
  name: string,
  url: string | undefined,
): Generator<Error> {
  if (url === undefined || (url.startsWith("{issuer}") && !provider.issuer)) return
  try {
    assertTransport(new URL(url), provider.allowInsecure)
  } catch (cause) {
    yield new InvalidEndpoints({
      provider: provider.id,
      expected: `\`${name}\` of provider ${provider.id} to be an https URL`,
      cause,
    })
  }
}

const userMethods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
] as const
const sessionMethods = [
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
] as const
const emailMethods = ["createVerificationToken", "useVerificationToken", "getUserByEmail"] as const

function* adapterProblems(
  written: Partial<AuthConfig>,
  config: Unchecked,
  providers: readonly ResolvedProvider[],
): Generator<Error> {
  const { adapter } = written
  const database = config.session.strategy === "database"
  if (database && !adapter) {
    yield new MissingAdapter({ hint: "Sessions in a database need one: set `adapter`." })
  }
  if (!adapter) return
  const has = (type: string) => providers.some((provider) => provider.type === type)
  const needed: (keyof Adapter)[] = [
    ...(has("oauth") || has("oidc") || has("email") ? userMethods : []),
    ...(database ? [...sessionMethods, "getUser" as const] : []),
    ...(has("email") ? emailMethods : []),
  ]
  const missing = [...new Set(needed)].filter((name) => typeof adapter[name] !== "function")
  if (missing.length > 0) {
    yield new MissingAdapterMethods({
      methods: missing,
      expected: `the adapter to have ${missing.join(", ")}`,
    })
  }
}
