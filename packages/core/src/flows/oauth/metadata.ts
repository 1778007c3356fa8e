/** A provider's metadata and keys: configured, discovered, kept for a while. */
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import { type AuthorizationServer, processDiscoveryResponse } from "oauth4webapi"
import { InvalidEndpoints } from "../../errors.ts"
import { isPrivate } from "../../http/address.ts"
import { assertTransport, createOutbound, type Outbound } from "../../http/outbound.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"

/** How long metadata and keys are used before they are asked for again, in milliseconds. */
const lifetime = 3_600_000
/** How long an unknown key has to wait after another one made us ask again, in milliseconds. */
const refetchPause = 30_000

/** Resolves the key that a token names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>

/** The memory of one provider. */
export interface Metadata {
  /**
   * The endpoints in effect.
   *
   * @throws InvalidEndpoints when one that was discovered may not be used
   */
  server(): Promise<AuthorizationServer>
  keys(): Promise<KeySet>
  /** The newest keys, for a token whose key is unknown; asked for anew unless that was done just now. */
  newerKeys(): Promise<KeySet>
}

interface Kept<T> {
  readonly value: Promise<T>
  readonly until: number
}

/** Keeps what a function gives, but no failure. */
function kept<T>(make: () => Promise<T>): { get(): Promise<T>; renew(): Promise<T> } {
  let current: Kept<T> | undefined
  const alive = () => (current && current.until > Date.now() ? current : undefined)
  const renew = (): Promise<T> => {
    const entry: Kept<T> = { value: make(), until: Date.now() + lifetime }
    // What is still good goes on serving until the newer one is here.
    current = alive() ?? entry
    entry.value.then(
      () => {
        current = entry
      },
      () => {
        if (current === entry) current = undefined
      },
    )
    return entry.value
  }
  return { get: () => alive()?.value ?? renew(), renew }
}

export function createMetadata(provider: ResolvedOAuthProvider): Metadata {
  // Shared by all requests, so not aborted with any of them.
  const ask = createOutbound({
    fetch: provider.fetch,
    allowInsecure: provider.allowInsecure,
    signal: undefined,
  })
  const server = kept(() => effectiveServer(provider, ask))
  const keys = kept(async () => fetchKeys((await server.get()).jwks_uri, provider.id, ask))
  let newest: Kept<KeySet> | undefined
  return {
    server: server.get,
    keys: keys.get,
    newerKeys() {
      if (!newest || newest.until <= Date.now()) {
        newest = { value: keys.renew(), until: Date.now() + refetchPause }
      }
      return newest.value
    },
  }
}

/** Each endpoint is the configured one, or else the discovered one; never a made-up one. */
async function effectiveServer(
  provider: ResolvedOAuthProvider,
  ask: Outbound,
): Promise<AuthorizationServer> {
  const discovered = needsDiscovery(provider) ? await discover(provider, ask) : undefined
  const configured = {
    authorization_endpoint: provider.authorization.url,
    token_endpoint: provider.token.url,
    userinfo_endpoint: provider.userinfo.url,
    jwks_uri: provider.jwksUri,
  }
  const written = Object.entries(configured).filter(([, url]) => url !== undefined)
  // An OAuth 2 provider need not have an issuer; nothing is compared with this one then.
  const issuer = provider.issuer ?? "urn:latchkey:no-issuer"
  const server: AuthorizationServer = { issuer, ...discovered, ...Object.fromEntries(written) }
  for (const name of ["authorization_endpoint", "token_endpoint"] as const) {
    if (server[name] === undefined) throw refusedEndpoint(provider.id, name, undefined)
  }
  return server
}

function needsDiscovery(provider: ResolvedOAuthProvider): boolean {
  const { authorization, token, userinfo, jwksUri } = provider
  if (!provider.issuer) return false
  if (!authorization.url || !token.url) return true
  if (provider.type === "oauth") return !userinfo.url && !userinfo.request
  return !jwksUri || (!provider.idToken && !userinfo.url)
}

async function discover(
  provider: ResolvedOAuthProvider,
  ask: Outbound,
): Promise<AuthorizationServer> {
  const { announcedIssuer = "", wellKnown = "" } = provider
  const response = await ask(wellKnown, { headers: { accept: "application/json" } })
  const metadata = await processDiscoveryResponse(new URL(announcedIssuer), response)
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "jwks_uri" || name.endsWith("_endpoint")) assertEndpoint(provider, name, value)
  }
  return metadata
}

/** What a document says is not trusted with more than the configuration was. */
function assertEndpoint(provider: ResolvedOAuthProvider, name: string, value: unknown): void {
  const issuer = new URL(provider.issuer ?? "")
  const used = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]
  if (value === undefined || !used.includes(name)) return
  try {
    const url = new URL(String(value))
    assertTransport(url, provider.allowInsecure)
    if (!isPrivate(url.hostname) || isPrivate(issuer.hostname)) return
  } catch (cause) {
    throw refusedEndpoint(provider.id, name, cause)
  }
  throw refusedEndpoint(provider.id, name, undefined)
}

function refusedEndpoint(provider: string, name: string, cause: unknown): InvalidEndpoints {
  return new InvalidEndpoints({
    provider,
    expected: `\`${name}\` in the metadata of provider ${provider} to be a public https URL`,
    cause,
  })
}

async function fetchKeys(
  jwksUri: string | undefined,
  provider: string,
  ask: Outbound,
): Promise<KeySet> {
  if (jwksUri === undefined) {
    throw new InvalidEndpoints({
      provider,
      expected: `provider ${provider} to have a \`jwks_uri\``,
      hint: "Without keys the signature of an ID token cannot be verified.",
    })
  }
  const response = await ask(jwksUri, { headers: { accept: "application/json" } })
  if (response.status !== 200) {
    throw new InvalidEndpoints({ provider, expected: "status 200 from the key set" })
  }
  const keySet: unknown = await response.json()
  // `createLocalJWKSet` checks the shape and throws for any other.
  const keys = createLocalJWKSet(keySet as JSONWebKeySet)
  if (keys.jwks().keys.length > 0) return keys
  throw new InvalidEndpoints({ provider, expected: "a key in the key set" })
}
