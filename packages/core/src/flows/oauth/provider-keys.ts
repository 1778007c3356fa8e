/** The keys that sign the tokens of a provider. */
import { createRemoteJWKSet, errors, type JWK, customFetch as jwksFetch } from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import { InvalidEndpoints } from "../../errors.ts"
import { createProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { cacheLifetime } from "./metadata-cache.ts"

/** Minimum time between two requests for keys because of an unknown key, in milliseconds. */
const minRefetchInterval = 30_000

type KeyResolver = ReturnType<typeof createRemoteJWKSet>

export interface ProviderKeys {
  /** Returns the key that a token names. Fetches the keys when they are first needed, and for an unknown key. */
  readonly getKey: (...token: Parameters<KeyResolver>) => ReturnType<KeyResolver>
  /** Returns the keys that were fetched, as the provider describes them. */
  readonly listKeys: () => readonly JWK[]
}

const keysByServer = new WeakMap<AuthorizationServer, ProviderKeys>()

/**
 * Returns the keys of a provider, which are cached as long as its metadata.
 *
 * @throws InvalidEndpoints for a provider without keys
 */
export function getProviderKeys(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
): ProviderKeys {
  const keys = keysByServer.get(server) ?? createProviderKeys(provider, server)
  keysByServer.set(server, keys)
  return keys
}

function createProviderKeys(
  provider: ResolvedOAuthProvider,
  { jwks_uri }: AuthorizationServer,
): ProviderKeys {
  const { id } = provider
  if (jwks_uri === undefined) {
    const expected = `provider ${id} to have a \`jwks_uri\``
    const hint = "Without keys the signature of an ID token cannot be verified."
    throw new InvalidEndpoints({ provider: id, expected, hint })
  }
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    cacheMaxAge: cacheLifetime,
    // Would count from the first request, so that a new key might be unknown for a while.
    cooldownDuration: Number.POSITIVE_INFINITY,
    // No request may abort it, because all requests share it.
    [jwksFetch]: createProviderFetch(provider),
  })
  const listKeys = () => keys.jwks()?.keys ?? []
  let refreshedAt = 0
  return {
    async getKey(...token) {
      try {
        return await keys(...token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // The provider may have rotated its keys since they were fetched.
        const isDue = Date.now() - refreshedAt >= minRefetchInterval || listKeys().length === 0
        if (isDue || keys.reloading) {
          refreshedAt = Date.now()
          await keys.reload()
        }
        return keys(...token)
      }
    },
    listKeys,
  }
}
