/** The database adapter with logged calls and wrapped errors. */
import type { Adapter, AdapterCapabilities } from "../adapters.ts"
import { AdapterError, MissingAdapterMethods } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"
import type { ProviderType } from "../types.ts"
import { foldEmailAddress } from "./fold-email-address.ts"

type AdapterMethod = (...parameters: never[]) => unknown
type PromiseMethod<M> = M extends (...parameters: infer P) => infer R
  ? (...parameters: P) => Promise<Awaited<R>>
  : never

/** The adapter's methods. They reject with an `AdapterError`, whose cause is the original error. */
export type AdapterStore = {
  readonly [Name in keyof Adapter]-?: PromiseMethod<NonNullable<Adapter[Name]>>
}

/** A feature that needs a method of the adapter: a type of provider, or database sessions. */
type AdapterUse = ProviderType | "database"

/** The methods of an adapter, and what needs them. Methods without a use are optional. */
export const adapterMethodUses: Readonly<Record<keyof Adapter, readonly AdapterUse[]>> = {
  createUser: ["oauth", "oidc", "email", "webauthn"],
  createUserWithAccount: [],
  getUser: ["oauth", "oidc", "email", "webauthn", "database"],
  getUserByEmail: ["oauth", "oidc", "email", "webauthn"],
  getUserByAccount: ["oauth", "oidc", "email", "webauthn"],
  updateUser: ["oauth", "oidc", "email"],
  countUnprovenUsers: [],
  deleteUser: [],
  linkAccount: ["oauth", "oidc", "email", "webauthn"],
  unlinkAccount: [],
  updateAccount: [],
  createSession: ["database"],
  getSessionAndUser: ["database"],
  updateSession: ["database"],
  deleteSession: ["database"],
  listSessions: [],
  deleteSessions: [],
  deleteExpired: [],
  acquireLease: [],
  completeLease: [],
  releaseLease: [],
  countAttempt: [],
  resetAttempts: [],
  createVerificationToken: ["email"],
  useVerificationToken: ["email"],
  getAccount: ["webauthn"],
  getAuthenticator: ["webauthn"],
  createAuthenticator: ["webauthn"],
  listAuthenticatorsByUserId: ["webauthn"],
  updateAuthenticatorCounter: ["webauthn"],
}

/**
 * Wraps an adapter. Its methods may be inherited. A database may compare keys loosely (`Kx9` and `kX9`, `é` and `e`),
 * so that a record with another key than the requested one counts as not found.
 */
export function createAdapterStore(
  adapter: Adapter & AdapterCapabilities,
  log: Logger,
): AdapterStore {
  const names = Object.keys(adapterMethodUses) as (keyof Adapter)[]
  const entries = names.map((name) => [name, wrapMethod(adapter, name, log)])
  const store = Object.fromEntries(entries) as AdapterStore
  const accept = <Found>(method: keyof Adapter, found: Found | null, hasKey: boolean) => {
    if (!found || hasKey) return found
    const hint =
      "If the database compares this key loosely, make it exact; if the adapter does so on purpose, or has a `getAccount` that does not find the account: docs/adapters.md#compared-keys."
    const expected = `${method} to find the record with exactly the requested key`
    log.error(new AdapterError({ method, expected, received: "a record with another key", hint }))
    return null
  }
  const checkedStore: AdapterStore = {
    ...store,
    async getUser(id) {
      const found = await store.getUser(id)
      return accept("getUser", found, isSame(found?.id, id))
    },
    async getUserByEmail(email) {
      const found = await store.getUserByEmail(email)
      const isMatch = adapter.supportsEmailAliases || isSameAddress(found?.email, email)
      return accept("getUserByEmail", found, isMatch)
    },
    async getUserByAccount(key) {
      const found = await store.getUserByAccount(key)
      if (!found || adapter.comparesKeysExactly || typeof adapter.getAccount !== "function")
        return found
      const account = await checkedStore.getAccount(key.providerAccountId, key.provider)
      return accept("getUserByAccount", found, isSame(account?.userId, found.id))
    },
    async getAccount(providerAccountId, provider) {
      const found = await store.getAccount(providerAccountId, provider)
      const isMatch =
        isSame(found?.providerAccountId, providerAccountId) && found?.provider === provider
      return accept("getAccount", found, isMatch)
    },
    async getSessionAndUser(token) {
      const found = await store.getSessionAndUser(token)
      const isMatch = adapter.hashesSessionTokens || found?.session?.sessionToken === token
      return accept("getSessionAndUser", found, isMatch)
    },
    async getAuthenticator(credentialID) {
      const found = await store.getAuthenticator(credentialID)
      return accept("getAuthenticator", found, found?.credentialID === credentialID)
    },
  }
  return checkedStore
}

/** Adapters may return numbers. */
const isSame = (found: unknown, requested: unknown) => String(found) === String(requested)

const isSameAddress = (found: unknown, requested: string) =>
  typeof found === "string" && foldEmailAddress(found) === foldEmailAddress(requested)

function wrapMethod(adapter: Adapter, name: keyof Adapter, log: Logger): AdapterMethod {
  // A string argument may be a session token.
  const hideText = (parameter: unknown) => (typeof parameter === "string" ? "[string]" : parameter)
  return async (...parameters: never[]) => {
    const method = adapter[name] as AdapterMethod | undefined
    if (typeof method !== "function") {
      throw new MissingAdapterMethods({ expected: `the adapter to have the method ${name}` })
    }
    if (log.isDebugEnabled) log.debug(`adapter_${name}`, { args: parameters.map(hideText) })
    try {
      return await method.apply(adapter, parameters)
    } catch (cause) {
      throw new AdapterError(`The adapter's method ${name} failed.`, { method: name, cause })
    }
  }
}
