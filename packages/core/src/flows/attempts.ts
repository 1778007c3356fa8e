/** Attempts that a browser has under way: each in a cookie of its own, so that tabs do not disturb each other. */
import { flowLifetime } from "../config/cookies.ts"
import { sha256Base64Url } from "../crypto/digest.ts"
import { sameText } from "../crypto/random.ts"
import type { Sealer, SealPurpose } from "../crypto/seal.ts"
import type { NamedCookie } from "../http/cookies.ts"
import type { Visit } from "../http/exchange.ts"

/** What one kind of attempt is kept in. */
export interface Shelf {
  readonly cookie: NamedCookie
  readonly purpose: SealPurpose
  /** The answer comes as a form posted across sites, which `Lax` cookies do not go with. */
  readonly crossSite: boolean
}

/** Most attempts that one browser has under way; the oldest is dropped for a new one. */
const mostAlive = 8
/** Most characters that their cookies have together: servers refuse large headers. */
const mostCharacters = 6000

/** Bound to this very host where the application does not want it otherwise: a sub-domain cannot plant it. */
function baseCookie({ cookie: { name, options } }: Shelf): NamedCookie {
  const own = options.secure === true && options.path === "/" && options.domain === undefined
  return own ? { name: name.replace(/^__Secure-/, "__Host-"), options } : { name, options }
}

function cookieFor(shelf: Shelf, keyHash: string): NamedCookie {
  const { name, options } = baseCookie(shelf)
  return {
    name: `${name}.${keyHash.slice(0, 16)}`,
    options: shelf.crossSite ? { ...options, sameSite: "none", secure: true } : options,
  }
}

/** Seals what is remembered of an attempt under the key that its answer will bring back. */
export async function beginAttempt(
  visit: Visit,
  sealer: Sealer,
  shelf: Shelf,
  key: string,
  remembered: object,
): Promise<void> {
  const keyHash = await sha256Base64Url(key)
  const sealed = await sealer.seal(shelf.purpose, { ...remembered, keyHash }, flowLifetime)
  await dropOldest(visit, sealer, shelf, sealed.length)
  const expires = new Date(Date.now() + flowLifetime * 1000)
  visit.jar.set(cookieFor(shelf, keyHash), sealed, { expires })
}

async function dropOldest(
  visit: Visit,
  sealer: Sealer,
  shelf: Shelf,
  coming: number,
): Promise<void> {
  const names = aliveNames(visit, shelf)
  const size = names.reduce((sum, name) => sum + (visit.cookies.get(name)?.length ?? 0), coming)
  if (names.length < mostAlive && size <= mostCharacters) return
  const alive = await Promise.all(names.map((name) => ageOf(visit, sealer, shelf, name)))
  const oldestFirst = alive.sort((a, b) => a.issued - b.issued)
  const { options } = cookieFor(shelf, "")
  let left = size
  let count = alive.length
  for (const { name, length } of oldestFirst) {
    if (count < mostAlive && left <= mostCharacters) return
    visit.jar.delete({ name, options })
    left -= length
    count -= 1
  }
}

function aliveNames(visit: Visit, shelf: Shelf): readonly string[] {
  const prefix = `${baseCookie(shelf).name}.`
  return visit.cookies.namesFrom(prefix).filter((name) => name.length === prefix.length + 16)
}

async function ageOf(visit: Visit, sealer: Sealer, { purpose }: Shelf, name: string) {
  const sealed = visit.cookies.get(name) ?? ""
  const opened = await sealer.open(purpose, sealed)
  const issued = typeof opened?.["iat"] === "number" ? opened["iat"] : 0
  return { name, issued, length: sealed.length }
}

/**
 * Takes the attempt that a key belongs to; undefined when this browser began none, or too long ago. Its cookie is
 * used up, whatever comes of it.
 */
export async function takeAttempt(
  visit: Visit,
  sealer: Sealer,
  shelf: Shelf,
  key: string,
): Promise<Record<string, unknown> | undefined> {
  const keyHash = await sha256Base64Url(key)
  const cookie = cookieFor(shelf, keyHash)
  const sealed = visit.cookies.get(cookie.name)
  if (sealed === undefined) return undefined
  visit.jar.spend(cookie)
  const opened = await sealer.open(shelf.purpose, sealed)
  return opened && sameText(String(opened["keyHash"]), keyHash) ? opened : undefined
}

/** Why there is no attempt under a key, as far as this browser's cookies tell. */
export async function reasonOfAbsence(
  visit: Visit,
  shelf: Shelf,
  key: string | null,
): Promise<string> {
  if (!key) return "nothing"
  const alive = aliveNames(visit, shelf)
  if (alive.includes(cookieFor(shelf, await sha256Base64Url(key)).name)) {
    return "a sign-in that began too long ago, or under another secret"
  }
  const count = alive.length === 0 ? "no sign-in" : `${alive.length} with other states`
  return `a state of ${key.length} characters, and ${count} under way in this browser`
}
