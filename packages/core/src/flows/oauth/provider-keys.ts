/** The keys that sign the tokens of a provider. */
import {
  type createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  flattenedVerify,
  type JWK,
  customFetch as jwksFetch,
} from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import { InvalidEndpoints } from "../../errors.ts"
import { createProviderFetch, ProviderFetchError } from "../../http/provider-fetch.ts"
import { isObject, parseJsonObject } from "../../objects.ts"
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
    [jwksFetch]: createKeyFetch(provider),
  })
  const findKey = selectKey(keys)
  const listKeys = () => keys.jwks()?.keys ?? []
  let refreshedAt = 0
  return {
    async getKey(...token) {
      try {
        return await findKey(...token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // The provider may have rotated its keys since they were fetched.
        const isDue = Date.now() - refreshedAt >= minRefetchInterval || listKeys().length === 0
        if (isDue || keys.reloading) {
          refreshedAt = Date.now()
          await keys.reload()
        }
        return findKey(...token)
      }
    },
    listKeys,
  }
}

/**
 * Returns a resolver that tries all keys that a token may mean: several may have the same id, or the token names none.
 */
export function selectKey(
  keys: KeyResolver | ReturnType<typeof createLocalJWKSet>,
): ProviderKeys["getKey"] {
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys) || !token) throw error
      for await (const key of error) {
        const isSigner = await flattenedVerify(token, key).then(
          () => true,
          () => false,
        )
        if (isSigner) return key
      }
      throw new errors.JWSSignatureVerificationFailed("no key fits", { cause: error })
    }
  }
}

/**
 * Creates a `fetch` that repairs key sets: entries that are no keys are left out, and `use` and `key_ops`, which say how
 * the provider uses a key, exclude none that may have signed.
 *
 * @throws ProviderFetchError (from the returned function): nothing is known about a token without keys
 */
function createKeyFetch(provider: ResolvedOAuthProvider) {
  const fetch = createProviderFetch(provider)
  return async (url: string, init: Parameters<typeof fetch>[1]): Promise<Response> => {
    const response = await fetch(url, init)
    const keys = response.status === 200 && parseJsonObject(await response.text())?.["keys"]
    if (!Array.isArray(keys)) {
      const message = `${url} answered with status ${response.status}, and no key set.`
      throw new ProviderFetchError(message, { isTemporary: true })
    }
    const repaired = keys.filter(isObject).map(({ key_ops: _, use, ...key }) => ({
      ...key,
      ...(typeof use === "string" && { use: use.toLowerCase() }),
    }))
    return Response.json({ keys: repaired })
  }
}
