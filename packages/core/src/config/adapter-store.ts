/** The database adapter with logged calls and wrapped errors. */
import type { Adapter } from "../adapters.ts"
import { AdapterError, MissingAdapterMethods } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"
import type { ProviderType } from "../types.ts"

type AdapterMethod = (...parameters: never[]) => unknown
type PromiseMethod<M> = M extends (...parameters: infer P) => infer R
  ? (...parameters: P) => Promise<Awaited<R>>
  : never

/** The adapter's methods. They reject with an `AdapterError`, whose cause is the original error. */
export type AdapterStore = {
  readonly [Name in keyof Adapter]-?: PromiseMethod<NonNullable<Adapter[Name]>>
}

/** What needs a method of the adapter: a type of provider, or database sessions. */
type AdapterUse = ProviderType | "database"

/** The methods of an adapter, and what needs them. Methods without a use are optional. */
export const adapterMethodUses: Readonly<Record<keyof Adapter, readonly AdapterUse[]>> = {
  createUser: ["oauth", "oidc", "email", "webauthn"],
  createUserWithAccount: [],
  getUser: ["oauth", "oidc", "email", "webauthn", "database"],
  getUserByEmail: ["oauth", "oidc", "email", "webauthn"],
  getUserByAccount: ["oauth", "oidc", "email", "webauthn"],
  updateUser: ["oauth", "oidc", "email"],
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

/** Wraps an adapter. Its methods may be inherited. */
export function createAdapterStore(adapter: Adapter, log: Logger): AdapterStore {
  const names = Object.keys(adapterMethodUses) as (keyof Adapter)[]
  const entries = names.map((name) => [name, wrapMethod(adapter, name, log)])
  const store = Object.fromEntries(entries) as AdapterStore
  return {
    ...store,
    async getUserByEmail(email) {
      const found = await store.getUserByEmail(email)
      return found && isLookAlike(found.email, email) ? null : found
    },
  }
}

const looseCollator = new Intl.Collator("und", { sensitivity: "base" })

/**
 * Whether the database found a similar address instead of the requested one: with a loose collation, `e` matches `é`.
 * Similar addresses belong to different people. An adapter that stores several addresses for a user may return any other.
 */
function isLookAlike(found: unknown, requested: string): boolean {
  if (typeof found !== "string" || found.toLowerCase() === requested.toLowerCase()) return false
  return looseCollator.compare(found, requested) === 0
}

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
