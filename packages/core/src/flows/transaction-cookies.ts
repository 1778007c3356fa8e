/** Pending sign-ins of a browser: each in a cookie of its own, so that tabs do not interfere with each other. */
import { pendingSignInMaxAge } from "../config/cookie-definitions.ts"
import { sha256Base64Url } from "../crypto/digest.ts"
import type { SealPurpose } from "../crypto/purposes.ts"
import { timingSafeEqual } from "../crypto/random.ts"
import type { Sealer } from "../crypto/sealer.ts"
import type { CookieDefinition } from "../http/cookies.ts"
import type { SessionContext } from "../http/session-context.ts"

/** Maximum number of pending sign-ins in one browser. A new one replaces the oldest. */
const maxPending = 8
/** Maximum length of their cookies together: servers refuse large headers. */
const maxTotalLength = 6000

/** The pending sign-ins of one kind. */
export interface TransactionCookies {
  readonly context: SessionContext
  readonly sealer: Sealer
  readonly purpose: SealPurpose
  /** Its name is the beginning of their names. */
  readonly cookie: CookieDefinition
}

/**
 * Seals the values of a transaction under the key that the response will repeat.
 *
 * @param maxAge in seconds
 */
export async function saveTransaction(
  transactions: TransactionCookies,
  key: string,
  values: object,
  maxAge: number = pendingSignInMaxAge,
): Promise<void> {
  const { context, sealer, purpose } = transactions
  const keyHash = await sha256Base64Url(key)
  const sealed = await sealer.seal(purpose, { ...values, keyHash }, maxAge)
  await deleteOldest(transactions, sealed.length)
  const expires = new Date(Date.now() + maxAge * 1000)
  context.jar.set(getCookie(transactions.cookie, keyHash), sealed, { expires })
}

/** Returns the values that were saved under a key; undefined when this browser has none, or they are too old. */
export async function readTransaction(
  { context, sealer, purpose, cookie }: TransactionCookies,
  key: string,
): Promise<Record<string, unknown> | undefined> {
  const keyHash = await sha256Base64Url(key)
  const sealed = context.cookies.get(getCookie(cookie, keyHash).name)
  if (sealed === undefined) return undefined
  const values = await sealer.open(purpose, sealed)
  return values && timingSafeEqual(String(values["keyHash"]), keyHash) ? values : undefined
}

/** Reads a transaction like {@link readTransaction}, and deletes its cookie even if the request fails. */
export async function consumeTransaction(
  transactions: TransactionCookies,
  key: string,
): Promise<Record<string, unknown> | undefined> {
  const { context } = transactions
  const cookie = getCookie(transactions.cookie, await sha256Base64Url(key))
  if (context.cookies.get(cookie.name) !== undefined) context.jar.consume(cookie)
  return readTransaction(transactions, key)
}

/** Describes why there is no transaction under a key, as far as the cookies of this browser tell. */
export async function describeMissingTransaction(
  transactions: TransactionCookies,
  key: string,
): Promise<string> {
  if (!key) return "nothing"
  const names = listNames(transactions)
  if (names.includes(getCookie(transactions.cookie, await sha256Base64Url(key)).name))
    return "a sign-in that began too long ago, or under another secret"
  const others = names.length === 0 ? "no sign-in" : `${names.length} with other states`
  return `a state of ${key.length} characters, and ${others} under way in this browser`
}

function getCookie(cookie: CookieDefinition, keyHash: string): CookieDefinition {
  return { ...cookie, name: getPrefix(cookie) + keyHash.slice(0, 16) }
}

function listNames({ context, cookie }: TransactionCookies): readonly string[] {
  const prefix = getPrefix(cookie)
  const names = context.cookies.namesWithPrefix(prefix)
  return names.filter((name) => name.length === prefix.length + 16)
}

/** Uses `__Host-` where the options permit, so that a subdomain cannot set the cookie. */
function getPrefix({ name, options: { secure, path, domain } }: CookieDefinition): string {
  const canUseHostPrefix = secure === true && path === "/" && domain === undefined
  return `${canUseHostPrefix ? name.replace(/^__Secure-/, "__Host-") : name}.`
}

async function deleteOldest(transactions: TransactionCookies, newLength: number): Promise<void> {
  const { context, sealer, purpose, cookie } = transactions
  const pending = listNames(transactions).map(async (name) => {
    const sealed = context.cookies.get(name) ?? ""
    const issuedAt = Number((await sealer.open(purpose, sealed))?.["iat"] ?? 0)
    return { name, length: sealed.length, issuedAt }
  })
  const oldestFirst = (await Promise.all(pending)).sort((a, b) => a.issuedAt - b.issuedAt)
  let count = 1
  let totalLength = newLength
  for (const { name, length } of oldestFirst.reverse()) {
    count += 1
    totalLength += length
    if (count > maxPending || totalLength > maxTotalLength) context.jar.delete({ ...cookie, name })
  }
}
