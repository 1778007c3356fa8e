/** One sign-in attempt: what has to come back unchanged, sealed in a cookie of its own. */
import { flowLifetime } from "../../config/cookies.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { sameText } from "../../crypto/random.ts"
import type { Sealer } from "../../crypto/seal.ts"
import { InvalidCheck } from "../../errors.ts"
import type { NamedCookie } from "../../http/cookies.ts"
import type { Visit } from "../../http/exchange.ts"
import type { LinkRequest } from "../proof.ts"

/** What a sign-in remembers of its beginning. */
export interface Transaction {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636); absent when the provider is not asked for it. */
  readonly verifier?: string
  /** OpenID Connect Core 3.1.2.1; absent when PKCE does its work. */
  readonly nonce?: string
  readonly callbackUrl: string
  readonly redirectUri: string
  readonly link?: LinkRequest
}

/** Most attempts that one browser has under way; the oldest is dropped for a new one. */
const mostAlive = 8
/** Most characters that their cookies have together: servers refuse large headers. */
const mostCharacters = 6000

/** Bound to this very host where the application does not want it otherwise: a sub-domain cannot plant it. */
function baseCookie(visit: Visit): NamedCookie {
  const { name, options } = visit.table.state
  const own = options.secure === true && options.path === "/" && options.domain === undefined
  return own ? { name: name.replace(/^__Secure-/, "__Host-"), options } : { name, options }
}

/** Each attempt has a cookie of its own, so that tabs do not disturb each other. */
function cookieFor(visit: Visit, stateHash: string, crossSite: boolean): NamedCookie {
  const { name, options } = baseCookie(visit)
  return {
    name: `${name}.${stateHash.slice(0, 16)}`,
    // A form posted by the provider is a cross-site request, which `Lax` cookies do not go with.
    options: crossSite ? { ...options, sameSite: "none", secure: true } : options,
  }
}

/** Seals a transaction into its cookie. */
export async function beginTransaction(
  visit: Visit,
  sealer: Sealer,
  state: string,
  transaction: Transaction,
  crossSite: boolean,
): Promise<void> {
  const stateHash = await sha256Base64Url(state)
  const sealed = await sealer.seal("transaction", { ...transaction, stateHash }, flowLifetime)
  await dropOldest(visit, sealer, sealed.length, crossSite)
  const expires = new Date(Date.now() + flowLifetime * 1000)
  visit.jar.set(cookieFor(visit, stateHash, crossSite), sealed, { expires })
}

async function dropOldest(
  visit: Visit,
  sealer: Sealer,
  coming: number,
  crossSite: boolean,
): Promise<void> {
  const names = aliveNames(visit)
  const size = names.reduce((sum, name) => sum + (visit.cookies.get(name)?.length ?? 0), coming)
  if (names.length < mostAlive && size <= mostCharacters) return
  const alive = await Promise.all(names.map((name) => ageOf(visit, sealer, name)))
  const oldestFirst = alive.sort((a, b) => a.issued - b.issued)
  const { options } = cookieFor(visit, "", crossSite)
  let left = size
  let count = alive.length
  for (const { name, length } of oldestFirst) {
    if (count < mostAlive && left <= mostCharacters) return
    visit.jar.delete({ name, options })
    left -= length
    count -= 1
  }
}

function aliveNames(visit: Visit): readonly string[] {
  const prefix = `${baseCookie(visit).name}.`
  return visit.cookies.namesFrom(prefix).filter((name) => name.length === prefix.length + 16)
}

async function ageOf(visit: Visit, sealer: Sealer, name: string) {
  const sealed = visit.cookies.get(name) ?? ""
  const opened = await sealer.open("transaction", sealed)
  const issued = typeof opened?.["iat"] === "number" ? opened["iat"] : 0
  return { name, issued, length: sealed.length }
}

/**
 * Takes the transaction that a state belongs to. Its cookie is used up, whatever comes of it.
 *
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function takeTransaction(
  visit: Visit,
  sealer: Sealer,
  state: string | null,
  provider: string,
  crossSite: boolean,
): Promise<Transaction> {
  const stateHash = await sha256Base64Url(state ?? "")
  const cookie = cookieFor(visit, stateHash, crossSite)
  const sealed = visit.cookies.get(cookie.name)
  if (sealed === undefined) throw refused(provider)
  visit.jar.spend(cookie)
  const opened = await sealer.open("transaction", sealed)
  if (!opened || !sameText(String(opened["stateHash"]), stateHash)) throw refused(provider)
  const transaction = opened as unknown as Transaction // sealed by `beginTransaction`
  if (transaction.provider !== provider) throw refused(provider)
  return transaction
}

function refused(provider: string): InvalidCheck {
  return new InvalidCheck({
    provider,
    expected: "the state of a sign-in begun in this browser with this provider",
    hint:
      `The sign-in took longer than ${flowLifetime / 60} minutes, was begun in another browser, was ` +
      "already used, or its cookie was blocked.",
  })
}
