/** What is wrong with a provider. */
import { type AuthError, InvalidEndpoints, MissingAdapter, MissingAuthorize } from "../errors.ts"
import { assertTransport } from "../http/outbound.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { described } from "./rule.ts"

export function* providerProblems(
  provider: ResolvedProvider,
  config: Pick<ResolvedConfig, "store">,
): Generator<AuthError> {
  const { id } = provider
  if (provider.type === "oauth" || provider.type === "oidc") yield* oauthProblems(provider)
  if (provider.type === "credentials" && typeof provider.authorize !== "function") {
    yield new MissingAuthorize({
      option: `providers.${id}.authorize`,
      provider: id,
      expected: `provider ${id} to have \`authorize\``,
      came: described(provider.authorize),
      hint: "Write `authorize: async (typed) => user`, which returns null when what was typed is wrong.",
    })
  }
  if (provider.type === "email" && !config.store) {
    yield new MissingAdapter({
      option: "adapter",
      provider: id,
      expected: "an `adapter`",
      came: "nothing",
      hint: `Sign-in by e-mail (${id}) keeps its tokens in a database: set \`adapter\`.`,
    })
  }
}

function* oauthProblems(provider: ResolvedOAuthProvider): Generator<InvalidEndpoints> {
  const { id, issuer, clientId } = provider
  if (!clientId) {
    yield invalid(provider, "clientId", `provider ${id} to have a \`clientId\``, {
      came: alike(provider, "clientId") ?? described(clientId || undefined),
      hint: `Set \`clientId\`, or ${variableFor(id, "ID")}, to what the provider gave your application.`,
    })
  }
  if (provider.type === "oidc" && !issuer) {
    yield invalid(provider, "issuer", `provider ${id} to have an \`issuer\``, {
      came: described(issuer || undefined),
      hint: `Set \`issuer\`, or ${variableFor(id, "ISSUER")}: the URL before /.well-known/openid-configuration.`,
    })
  }
  yield* endpointProblems(provider)
}

function* endpointProblems(provider: ResolvedOAuthProvider): Generator<InvalidEndpoints> {
  const { id, issuer, authorization, token, userinfo } = provider
  const missing = Object.entries({ authorization, token, userinfo }).find(([name, endpoint]) =>
    issuer ? false : name === "userinfo" ? !endpoint.url && !userinfo.request : !endpoint.url,
  )
  if (missing && provider.type === "oauth") {
    const [name] = missing
    yield invalid(
      provider,
      name,
      `provider ${id} to have an \`issuer\`, or a URL for \`${name}\``,
      {
        came: "neither",
        hint: `Write the https URL of its ${name} endpoint, which the provider's documentation has.`,
      },
    )
  }
  const issuerProblems = [...urlProblems(provider, "issuer", issuer)]
  yield* issuerProblems
  const endpoints = {
    wellKnown: provider.wellKnown,
    jwks_endpoint: provider.jwksUri,
    authorization: authorization.url,
    token: token.url,
    userinfo: userinfo.url,
  }
  for (const [name, url] of Object.entries(endpoints)) {
    // What follows from an issuer is mended with it.
    if (issuerProblems.length === 0 || !follows(url, issuer))
      yield* urlProblems(provider, name, url)
  }
}

function follows(url: unknown, issuer: unknown): boolean {
  return typeof url === "string" && typeof issuer === "string" && url.startsWith(issuer)
}

function* urlProblems(
  provider: ResolvedOAuthProvider,
  name: string,
  url: unknown,
): Generator<InvalidEndpoints> {
  if (url === undefined || isOpen(provider, url)) return
  try {
    if (typeof url !== "string") throw new TypeError("It is no text")
    assertTransport(new URL(url), provider.allowInsecure)
  } catch (cause) {
    yield invalid(provider, name, `\`${name}\` of provider ${provider.id} to be an https URL`, {
      came: described(url),
      hint: "Codes and tokens go there: write https. Only this machine is reached without.",
      cause,
    })
  }
}

interface Circumstances {
  readonly came: string
  readonly hint: string
  readonly cause?: unknown
}

function invalid(
  { id }: ResolvedOAuthProvider,
  field: string,
  expected: string,
  circumstances: Circumstances,
): InvalidEndpoints {
  return new InvalidEndpoints({
    option: `providers.${id}.${field}`,
    provider: id,
    expected,
    ...circumstances,
  })
}

/** It waits for an issuer that is missing: that is a problem of its own. */
function isOpen({ issuer }: ResolvedOAuthProvider, url: unknown): boolean {
  return !issuer && typeof url === "string" && url.startsWith("{issuer}")
}

/** The environment variable that gives a field of a provider. */
export function variableFor(id: string, field: "ID" | "SECRET" | "ISSUER"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${field}`
}

/** Another spelling under which the field is written: `clientID`, `client_id`. */
function alike({ definition }: ResolvedOAuthProvider, field: string): string | undefined {
  const plain = (name: string) => name.replace(/[^a-z]/gi, "").toLowerCase()
  const spelt = Object.keys(definition).find(
    (name) => name !== field && plain(name) === plain(field),
  )
  return spelt && `\`${spelt}\`, which nobody reads`
}
