/** The database adapter with its faults named, its calls logged, and its methods bound. */
import type { Adapter } from "../adapters.ts"
import { AdapterError, MissingAdapterMethods } from "../errors.ts"
import type { Logger } from "./logger.ts"

type AdapterMethod = (...parameters: never[]) => unknown
type PromiseMethod<M> = M extends (...parameters: infer P) => infer R
  ? (...parameters: P) => Promise<Awaited<R>>
  : never

/** The adapter's methods; every failure is an `AdapterError` with the original as its cause. */
export type AdapterStore = {
  readonly [Name in keyof Adapter]-?: PromiseMethod<NonNullable<Adapter[Name]>>
}

const adapterMethods: Readonly<Record<keyof Adapter, true>> = {
  createUser: true,
  createUserWithAccount: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  updateAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  listSessions: true,
  deleteSessions: true,
  deleteExpired: true,
  acquireLease: true,
  completeLease: true,
  releaseLease: true,
  createVerificationToken: true,
  useVerificationToken: true,
  getAccount: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
}

/** Wraps an adapter, whose methods may be its own or inherited. */
export function createAdapterStore(adapter: Adapter, log: Logger): AdapterStore {
  const entries = Object.keys(adapterMethods).map((name) => [
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
 * Whether a database took one letter for another: with a loose collation, `e` is found for `é`. Two addresses that
 * only look the same belong to two people. An adapter that knows several addresses of a user may find another one.
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

/** A bare text among the arguments may be a session token. */
function hideText(parameter: unknown): unknown {
  return typeof parameter === "string" ? "[text]" : parameter
}
