/** Attempts that a browser has under way: each in a cookie of its own, so that tabs do not disturb each other. */
import { pendingSignInMaxAge } from "../config/cookie-definitions.ts"
import { sha256Base64Url } from "../crypto/digest.ts"
import { timingSafeEqual } from "../crypto/random.ts"
import type { Sealer, SealPurpose } from "../crypto/sealer.ts"
import type { SessionContext } from "../http/action-request.ts"
import type { CookieDefinition } from "../http/cookies.ts"

/** What one kind of attempt is kept in. */
export interface TransactionCookieStore {
  readonly cookie: CookieDefinition
  readonly purpose: SealPurpose
  /** The answer comes as a form posted across sites, which `Lax` cookies do not go with. */
  readonly isCrossSite: boolean
}

/** Most attempts that one browser has under way; the oldest is dropped for a new one. */
const maxPending = 8
/** Most characters that their cookies have together: servers refuse large headers. */
const maxTotalLength = 6000

/** Bound to this very host where the application does not want it otherwise: a sub-domain cannot plant it. */
function getBaseCookie({ cookie: { name, options } }: TransactionCookieStore): CookieDefinition {
  const canUseHostPrefix =
    options.secure === true && options.path === "/" && options.domain === undefined
  return canUseHostPrefix
    ? { name: name.replace(/^__Secure-/, "__Host-"), options }
    : { name, options }
}

function getTransactionCookie(
  cookieStore: TransactionCookieStore,
  keyHash: string,
): CookieDefinition {
  const { name, options } = getBaseCookie(cookieStore)
  return {
    name: `${name}.${keyHash.slice(0, 16)}`,
    options: cookieStore.isCrossSite ? { ...options, sameSite: "none", secure: true } : options,
  }
}

/** Seals what is remembered of an attempt under the key that its answer will bring back. */
export async function saveTransaction(
  context: SessionContext,
  sealer: Sealer,
  cookieStore: TransactionCookieStore,
  key: string,
  payload: object,
): Promise<void> {
  const keyHash = await sha256Base64Url(key)
  const sealed = await sealer.seal(
    cookieStore.purpose,
    { ...payload, keyHash },
    pendingSignInMaxAge,
  )
  await deleteOldestTransactions(context, sealer, cookieStore, sealed.length)
  const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
  context.jar.set(getTransactionCookie(cookieStore, keyHash), sealed, { expires })
}

async function deleteOldestTransactions(
  context: SessionContext,
  sealer: Sealer,
  cookieStore: TransactionCookieStore,
  newCookieLength: number,
): Promise<void> {
  const names = getPendingCookieNames(context, cookieStore)
  const size = names.reduce(
    (sum, name) => sum + (context.cookies.get(name)?.length ?? 0),
    newCookieLength,
  )
  if (names.length < maxPending && size <= maxTotalLength) return
  const pending = await Promise.all(
    names.map((name) => inspectPendingCookie(context, sealer, cookieStore, name)),
  )
  const oldestFirst = pending.sort((a, b) => a.issued - b.issued)
  const { options } = getTransactionCookie(cookieStore, "")
  let remainingLength = size
  let remainingCount = pending.length
  for (const { name, length } of oldestFirst) {
    if (remainingCount < maxPending && remainingLength <= maxTotalLength) return
    context.jar.delete({ name, options })
    remainingLength -= length
    remainingCount -= 1
  }
}

function getPendingCookieNames(
  context: SessionContext,
  cookieStore: TransactionCookieStore,
): readonly string[] {
  const prefix = `${getBaseCookie(cookieStore).name}.`
  return context.cookies
    .namesWithPrefix(prefix)
    .filter((name) => name.length === prefix.length + 16)
}

async function inspectPendingCookie(
  context: SessionContext,
  sealer: Sealer,
  { purpose }: TransactionCookieStore,
  name: string,
) {
  const sealed = context.cookies.get(name) ?? ""
  const payload = await sealer.open(purpose, sealed)
  const issued = typeof payload?.["iat"] === "number" ? payload["iat"] : 0
  return { name, issued, length: sealed.length }
}

/**
 * Takes the attempt that a key belongs to; undefined when this browser began none, or too long ago. Its cookie is
 * used up, whatever comes of it.
 */
export async function consumeTransaction(
  context: SessionContext,
  sealer: Sealer,
  cookieStore: TransactionCookieStore,
  key: string,
): Promise<Record<string, unknown> | undefined> {
  const keyHash = await sha256Base64Url(key)
  const cookie = getTransactionCookie(cookieStore, keyHash)
  const sealed = context.cookies.get(cookie.name)
  if (sealed === undefined) return undefined
  context.jar.consume(cookie)
  const payload = await sealer.open(cookieStore.purpose, sealed)
  return payload && timingSafeEqual(String(payload["keyHash"]), keyHash) ? payload : undefined
}

/** Why there is no attempt under a key, as far as this browser's cookies tell. */
export async function describeMissingTransaction(
  context: SessionContext,
  cookieStore: TransactionCookieStore,
  key: string | null,
): Promise<string> {
  if (!key) return "nothing"
  const pending = getPendingCookieNames(context, cookieStore)
  if (pending.includes(getTransactionCookie(cookieStore, await sha256Base64Url(key)).name)) {
    return "a sign-in that began too long ago, or under another secret"
  }
  const pendingText = pending.length === 0 ? "no sign-in" : `${pending.length} with other states`
  return `a state of ${key.length} characters, and ${pendingText} under way in this browser`
}
