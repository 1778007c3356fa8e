/** What is wrong with a provider. */
import {
  ExperimentalFeatureNotEnabled,
  InvalidEndpoints,
  MissingAdapter,
  MissingAuthorize,
} from "../errors.ts"
import { assertTransport } from "../http/outbound.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

export function* providerProblems(
  provider: ResolvedProvider,
  written: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "store">,
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
  url: unknown,
): Generator<Error> {
  if (url === undefined || isOpen(provider, url)) return
  try {
    if (typeof url !== "string") throw new TypeError("It is no text")
    assertTransport(new URL(url), provider.allowInsecure)
  } catch (cause) {
    yield new InvalidEndpoints({
      provider: provider.id,
      expected: `\`${name}\` of provider ${provider.id} to be an https URL`,
      cause,
    })
  }
}

/** It waits for an issuer that is missing: that is a problem of its own. */
function isOpen({ issuer }: ResolvedOAuthProvider, url: unknown): boolean {
  return !issuer && typeof url === "string" && url.startsWith("{issuer}")
}
