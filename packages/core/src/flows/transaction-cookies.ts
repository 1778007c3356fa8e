/** Pending sign-ins of a browser: each in a cookie of its own, so that tabs do not interfere with each other. */
import { pendingSignInMaxAge } from "../config/cookie-definitions.ts"
import { sha256Base64Url } from "../crypto/digest.ts"
import { timingSafeEqual } from "../crypto/random.ts"
import type { Sealer, SealPurpose } from "../crypto/sealer.ts"
import type { SessionContext } from "../http/action-request.ts"
import type { CookieDefinition } from "../http/cookies.ts"

/** Maximum number of pending sign-ins in one browser. A new one replaces the oldest. */
const maxPending = 8
/** Maximum length of their cookies together: servers refuse large headers. */
const maxTotalLength = 6000

export class TransactionCookies {
  readonly #context: SessionContext
  readonly #sealer: Sealer
  readonly #purpose: SealPurpose
  readonly #prefix: string
  readonly #options: CookieDefinition["options"]

  /** @param isCrossSite whether the response is a form posted across sites, with which browsers send no `Lax` cookies */
  constructor(
    context: SessionContext,
    sealer: Sealer,
    purpose: SealPurpose,
    cookie: CookieDefinition,
    isCrossSite: boolean,
  ) {
    this.#context = context
    this.#sealer = sealer
    this.#purpose = purpose
    this.#prefix = `${getHostName(cookie)}.`
    this.#options = isCrossSite
      ? { ...cookie.options, sameSite: "none", secure: true }
      : cookie.options
  }

  /** Seals the values of a transaction under the key that the response will repeat. */
  async save(key: string, values: object): Promise<void> {
    const keyHash = await sha256Base64Url(key)
    const sealed = await this.#sealer.seal(
      this.#purpose,
      { ...values, keyHash },
      pendingSignInMaxAge,
    )
    await this.#deleteOldest(sealed.length)
    const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
    this.#context.jar.set(this.#getCookie(keyHash), sealed, { expires })
  }

  /**
   * Returns the values that were saved under a key, and deletes their cookie even if the request fails. Returns undefined
   * when this browser has none, or they are too old.
   */
  async consume(key: string): Promise<Record<string, unknown> | undefined> {
    const keyHash = await sha256Base64Url(key)
    const cookie = this.#getCookie(keyHash)
    const sealed = this.#context.cookies.get(cookie.name)
    if (sealed === undefined) return undefined
    this.#context.jar.consume(cookie)
    const values = await this.#sealer.open(this.#purpose, sealed)
    return values && timingSafeEqual(String(values["keyHash"]), keyHash) ? values : undefined
  }

  /** Describes why there is no transaction under a key, as far as the cookies of this browser tell. */
  async describeMissing(key: string): Promise<string> {
    if (!key) return "nothing"
    const names = this.#listNames()
    if (names.includes(this.#getCookie(await sha256Base64Url(key)).name)) {
      return "a sign-in that began too long ago, or under another secret"
    }
    const others = names.length === 0 ? "no sign-in" : `${names.length} with other states`
    return `a state of ${key.length} characters, and ${others} under way in this browser`
  }

  #getCookie(keyHash: string): CookieDefinition {
    return { name: this.#prefix + keyHash.slice(0, 16), options: this.#options }
  }

  #listNames(): readonly string[] {
    const length = this.#prefix.length + 16
    return this.#context.cookies
      .namesWithPrefix(this.#prefix)
      .filter((name) => name.length === length)
  }

  async #deleteOldest(newLength: number): Promise<void> {
    const { cookies, jar } = this.#context
    const pending = this.#listNames().map((name) => ({ name, sealed: cookies.get(name) ?? "" }))
    let count = pending.length
    let totalLength = pending.reduce((sum, { sealed }) => sum + sealed.length, newLength)
    const isFull = () => count >= maxPending || totalLength > maxTotalLength
    if (!isFull()) return
    const dated = pending.map(async ({ name, sealed }) => {
      const iat = (await this.#sealer.open(this.#purpose, sealed))?.["iat"]
      return { name, length: sealed.length, issuedAt: typeof iat === "number" ? iat : 0 }
    })
    const oldestFirst = (await Promise.all(dated)).sort((a, b) => a.issuedAt - b.issuedAt)
    for (const { name, length } of oldestFirst) {
      if (!isFull()) return
      jar.delete({ name, options: this.#options })
      totalLength -= length
      count -= 1
    }
  }
}

/** Returns the name with `__Host-` where the options permit, so that a subdomain cannot set the cookie. */
function getHostName({ name, options: { secure, path, domain } }: CookieDefinition): string {
  const canUseHostPrefix = secure === true && path === "/" && domain === undefined
  return canUseHostPrefix ? name.replace(/^__Secure-/, "__Host-") : name
}
