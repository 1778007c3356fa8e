/** What is wrong with a provider. */
import { type AuthError, InvalidEndpoints, MissingAdapter, MissingAuthorize } from "../errors.ts"
import { assertSecureUrl } from "../http/provider-fetch.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved-provider.ts"
import { describeValue } from "./option-check.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

export function* findProviderProblems(
  provider: ResolvedProvider,
  config: Pick<ResolvedConfig, "adapter">,
): Generator<AuthError> {
  const { id } = provider
  if (provider.type === "oauth" || provider.type === "oidc") yield* findOAuthProblems(provider)
  if (provider.type === "credentials" && typeof provider.authorize !== "function") {
    yield new MissingAuthorize({
      option: `providers.${id}.authorize`,
      provider: id,
      expected: `provider ${id} to have \`authorize\``,
      received: describeValue(provider.authorize),
      hint: "Write `authorize: async (typed) => user`, which returns null when what was typed is wrong.",
    })
  }
  if (provider.type === "email" && !config.adapter) {
    yield new MissingAdapter({
      option: "adapter",
      provider: id,
      expected: "an `adapter`",
      received: "nothing",
      hint: `Sign-in by e-mail (${id}) keeps its tokens in a database: set \`adapter\`.`,
    })
  }
}

function* findOAuthProblems(provider: ResolvedOAuthProvider): Generator<InvalidEndpoints> {
  const { id, issuer, clientId } = provider
  if (!clientId) {
    yield createInvalidEndpoints(provider, "clientId", `provider ${id} to have a \`clientId\``, {
      received: findMisspelledField(provider, "clientId") ?? describeValue(clientId || undefined),
      hint: `Set \`clientId\`, or ${getVariableName(id, "ID")}, to what the provider gave your application.`,
    })
  }
  if (provider.type === "oidc" && !issuer) {
    yield createInvalidEndpoints(provider, "issuer", `provider ${id} to have an \`issuer\``, {
      received: describeValue(issuer || undefined),
      hint: `Set \`issuer\`, or ${getVariableName(id, "ISSUER")}: the URL before /.well-known/openid-configuration.`,
    })
  }
  yield* findEndpointProblems(provider)
}

function* findEndpointProblems(provider: ResolvedOAuthProvider): Generator<InvalidEndpoints> {
  const { id, issuer, authorization, token, userinfo } = provider
  const missingEndpoint = Object.entries({ authorization, token, userinfo }).find(
    ([name, endpoint]) =>
      issuer ? false : name === "userinfo" ? !endpoint.url && !userinfo.request : !endpoint.url,
  )
  if (missingEndpoint && provider.type === "oauth") {
    const [name] = missingEndpoint
    yield createInvalidEndpoints(
      provider,
      name,
      `provider ${id} to have an \`issuer\`, or a URL for \`${name}\``,
      {
        received: "neither",
        hint: `Write the https URL of its ${name} endpoint, which the provider's documentation has.`,
      },
    )
  }
  const issuerProblems = [...findUrlProblems(provider, "issuer", issuer)]
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
    if (issuerProblems.length === 0 || !isDerivedFromIssuer(url, issuer))
      yield* findUrlProblems(provider, name, url)
  }
}

function isDerivedFromIssuer(url: unknown, issuer: unknown): boolean {
  return typeof url === "string" && typeof issuer === "string" && url.startsWith(issuer)
}

function* findUrlProblems(
  provider: ResolvedOAuthProvider,
  name: string,
  url: unknown,
): Generator<InvalidEndpoints> {
  if (url === undefined || isAwaitingIssuer(provider, url)) return
  try {
    if (typeof url !== "string") throw new TypeError("It is no text")
    assertSecureUrl(new URL(url), provider.allowInsecure)
  } catch (cause) {
    yield createInvalidEndpoints(
      provider,
      name,
      `\`${name}\` of provider ${provider.id} to be an https URL`,
      {
        received: describeValue(url),
        hint: "Codes and tokens go there: write https. Only this machine is reached without.",
        cause,
      },
    )
  }
}

interface EndpointProblemDetails {
  readonly received: string
  readonly hint: string
  readonly cause?: unknown
}

function createInvalidEndpoints(
  { id }: ResolvedOAuthProvider,
  field: string,
  expected: string,
  details: EndpointProblemDetails,
): InvalidEndpoints {
  return new InvalidEndpoints({
    option: `providers.${id}.${field}`,
    provider: id,
    expected,
    ...details,
  })
}

/** It waits for an issuer that is missing: that is a problem of its own. */
function isAwaitingIssuer({ issuer }: ResolvedOAuthProvider, url: unknown): boolean {
  return !issuer && typeof url === "string" && url.startsWith("{issuer}")
}

/** The environment variable that gives a field of a provider. */
export function getVariableName(id: string, field: "ID" | "SECRET" | "ISSUER"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${field}`
}

/** Another spelling under which the field is written: `clientID`, `client_id`. */
function findMisspelledField(
  { definition }: ResolvedOAuthProvider,
  field: string,
): string | undefined {
  const normalizeName = (name: string) => name.replace(/[^a-z]/gi, "").toLowerCase()
  const misspelledName = Object.keys(definition).find(
    (name) => name !== field && normalizeName(name) === normalizeName(field),
  )
  return misspelledName && `\`${misspelledName}\`, which nobody reads`
}
