/** The database adapter with logged calls and wrapped errors. */
import type { Adapter } from "../adapters.ts"
import { AdapterError, MissingAdapterMethods } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"

type AdapterMethod = (...parameters: never[]) => unknown
type PromiseMethod<M> = M extends (...parameters: infer P) => infer R
  ? (...parameters: P) => Promise<Awaited<R>>
  : never

/** The adapter's methods. They reject with an `AdapterError`, whose cause is the original error. */
export type AdapterStore = {
  readonly [Name in keyof Adapter]-?: PromiseMethod<NonNullable<Adapter[Name]>>
}

/** A part of the library that needs an adapter. */
export type AdapterUse = "users" | "sessions" | "links" | "passkeys"

/** The methods of an adapter, and the parts of the library that need them. Methods without a use are optional. */
export const adapterMethodUses: Readonly<Record<keyof Adapter, readonly AdapterUse[]>> = {
  createUser: ["users", "passkeys"],
  createUserWithAccount: [],
  getUser: ["users", "sessions", "passkeys"],
  getUserByEmail: ["users", "passkeys"],
  getUserByAccount: ["users", "passkeys"],
  updateUser: ["users"],
  deleteUser: [],
  linkAccount: ["users", "passkeys"],
  unlinkAccount: [],
  updateAccount: [],
  createSession: ["sessions"],
  getSessionAndUser: ["sessions"],
  updateSession: ["sessions"],
  deleteSession: ["sessions"],
  listSessions: [],
  deleteSessions: [],
  deleteExpired: [],
  acquireLease: [],
  completeLease: [],
  releaseLease: [],
  createVerificationToken: ["links"],
  useVerificationToken: ["links"],
  getAccount: ["passkeys"],
  getAuthenticator: ["passkeys"],
  createAuthenticator: ["passkeys"],
  listAuthenticatorsByUserId: ["passkeys"],
  updateAuthenticatorCounter: ["passkeys"],
}

/** Wraps an adapter. Its methods may be inherited. */
export function createAdapterStore(adapter: Adapter, log: Logger): AdapterStore {
  const entries = Object.keys(adapterMethodUses).map((name) => [
    name,
    wrapMethod(adapter, name as keyof Adapter, log),
  ])
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

/** A string argument may be a session token. */
function hideText(parameter: unknown): unknown {
  return typeof parameter === "string" ? "[string]" : parameter
}
