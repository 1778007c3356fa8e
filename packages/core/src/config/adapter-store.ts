/** The database adapter with logged calls and wrapped errors. */
import type { Adapter, AdapterCapabilities } from "../adapters.ts"
import { AdapterError, type ErrorDetails, MissingAdapterMethods } from "../errors.ts"
import type { Logger } from "../logging/logger.ts"
import { isDate, isObject } from "../objects.ts"
import type { Awaitable, ProviderType } from "../types.ts"

type PromiseMethod<M> = M extends (...parameters: infer P) => infer R
  ? (...parameters: P) => Promise<Awaited<R>>
  : never

/** The adapter's methods. They reject with an `AdapterError`, whose cause is the original error. */
export type AdapterStore = {
  readonly [Name in keyof Adapter]-?: PromiseMethod<NonNullable<Adapter[Name]>>
}

const accountMethods = ["createUser", "getUserByEmail", "getUserByAccount", "linkAccount"] as const

/** The methods that a type of provider, or database sessions, need. All others are optional. */
export const requiredMethods: Readonly<
  Record<ProviderType | "database", readonly (keyof Adapter)[]>
> = {
  oauth: accountMethods,
  oidc: accountMethods,
  credentials: [],
  email: [...accountMethods, "updateUser", "createVerificationToken", "useVerificationToken"],
  webauthn: [
    ...accountMethods,
    ...(["getUser", "getAccount", "getAuthenticator", "createAuthenticator"] as const),
    ...(["listAuthenticatorsByUserId", "updateAuthenticatorCounter"] as const),
  ],
  database: ["getUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
}

/** Creates the error for methods that an adapter lacks. */
export const createMissingMethodsError = (
  methods: readonly string[],
  details: ErrorDetails = {},
): MissingAdapterMethods =>
  new MissingAdapterMethods({
    expected: `the adapter to have ${methods.join(", ")}`,
    methods,
    ...details,
  })

const zonelessTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/**
 * Reads a time that an adapter returned: a date, milliseconds, or text that begins with `YYYY-MM-DD`, which is in UTC
 * unless it has a time zone.
 */
export function parseStoredDate(time: unknown): Date {
  if (isDate(time)) return time
  const text = String(time)
  if (/^\d{12,}$/.test(text)) return new Date(Number(text))
  if (zonelessTime.test(text)) return new Date(`${text.replace(" ", "T")}Z`)
  return new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
}

/** Wraps an adapter. Its methods may be inherited. */
export function createAdapterStore(
  adapter: Adapter & AdapterCapabilities,
  log: Logger,
): AdapterStore {
  const call = async (name: keyof Adapter, parameters: never[]): Promise<unknown> => {
    const method = adapter[name] as ((...parameters: never[]) => unknown) | undefined
    if (typeof method !== "function") throw createMissingMethodsError([name])
    if (log.isDebugEnabled) log.debug(`adapter_${name}`, { args: parameters.map(hideText) })
    let found: unknown
    try {
      found = await method.apply(adapter, parameters)
      const [, verb] = /^(get|create|update)User/.exec(name) ?? []
      const isNone = verb === "get" && (found ?? null) === null
      // Nobody must be signed in as a user without an id.
      if (verb && !isNone && !(isObject(found) && (found["id"] ?? "") !== ""))
        throw new TypeError("It must return a user with an `id`")
    } catch (cause) {
      throw new AdapterError(
        { summary: `The adapter's method ${name} failed.` },
        { method: name, cause },
      )
    }
    const hasKey: KeyCheck<(...parameters: never[]) => never> | undefined = keyChecks[name]
    const isFound = hasKey && found ? hasKey(found as never, ...parameters) : true
    if (isFound === true || (await isFound)) return found
    const expected = `${name} to find the record with exactly the requested key`
    const details = { method: name, expected, received: "a record with another key" }
    log.error(new AdapterError({ ...details, hint: keyHint }))
    return null
  }
  const store = new Proxy({} as AdapterStore, {
    get(_, name) {
      if (name === "then") return undefined // otherwise, a promise could not resolve to the store
      return (...parameters: never[]) => call(name as keyof Adapter, parameters)
    },
  })
  const keyChecks = createKeyChecks(adapter, store)
  return store
}

/** Returns a store with other methods. Do not spread a store: it has any method, but lists none. */
export function replaceMethods(store: AdapterStore, methods: Partial<AdapterStore>): AdapterStore {
  return Object.assign(Object.create(store), methods)
}

/** A string argument may be a session token. */
const hideText = (parameter: unknown) => (typeof parameter === "string" ? "[string]" : parameter)

const keyHint =
  "If the database compares this key loosely, make it exact; if the adapter does so on purpose, or has a `getAccount` " +
  "that does not find the account: docs/adapters.md#compared-keys."

/** Whether a method found the record with the key in its parameters. */
type KeyCheck<M> = M extends (...parameters: infer P) => infer R
  ? (found: NonNullable<Awaited<R>>, ...parameters: P) => Awaitable<unknown>
  : never

/**
 * A database may compare keys loosely (`Kx9` and `kX9`, `é` and `e`), so that a record with another key than the
 * requested one counts as not found.
 */
function createKeyChecks(
  adapter: Adapter & AdapterCapabilities,
  store: AdapterStore,
): { readonly [Name in keyof Adapter]?: KeyCheck<AdapterStore[Name]> } {
  return {
    getUser: (user, id) => isSame(user.id, id),
    getUserByEmail: (user, email) =>
      adapter.supportsEmailAliases || isSameAddress(user.email, email),
    async getUserByAccount(user, { providerAccountId, provider }) {
      if (adapter.comparesKeysExactly || typeof adapter.getAccount !== "function") return true
      return isSame((await store.getAccount(providerAccountId, provider))?.userId, user.id)
    },
    getAccount: (account, id, provider) =>
      isSame(account.providerAccountId, id) && account.provider === provider,
    getSessionAndUser({ session }, token) {
      if (adapter.hashesSessionTokens || !session) return true
      const stored: unknown = session.sessionToken
      if (typeof stored === "string" && stored) return stored === token
      // An error signs nobody out. `null` would.
      throw new TypeError(
        `\`getSessionAndUser\` must return a session with its \`sessionToken\`, a text. Received: ${typeof stored}`,
      )
    },
    getAuthenticator: ({ credentialID }, id) => credentialID === id,
  }
}

/** Adapters may return numbers. */
const isSame = (found: unknown, requested: unknown) => String(found) === String(requested)

const isSameAddress = (found: unknown, requested: string) =>
  typeof found === "string" && foldEmailAddress(found) === foldEmailAddress(requested)

/** Returns the form in which addresses are compared, and nothing else is equal. */
export const foldEmailAddress = (address: string): string => toAsciiDomain(foldCase(address))

/** Unicode NFKC, lower case. */
export const foldCase = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC")

/**
 * Writes the domain of an address in ASCII (UTS 46), as browsers submit it. Other texts, and domains that no browser
 * accepts, stay as they are.
 */
export function toAsciiDomain(address: string): string {
  const [, local, domain] = /^([^@]*@)([^@]*[^\p{ASCII}][^@]*)$/u.exec(address) ?? []
  if (local === undefined || !URL.canParse(`http://${domain}`)) return address
  return local + new URL(`http://${domain}`).hostname
}
