/** Pending sign-ins of a browser: each in a cookie of its own, so that tabs do not interfere with each other. */
import { pendingSignInMaxAge } from "../config/defaults.ts"
import { sha256Base64Url } from "../crypto/digest.ts"
import type { SealPurpose } from "../crypto/purposes.ts"
import { timingSafeEqual } from "../crypto/random.ts"
import type { CookieDefinition } from "../http/cookies.ts"
import type { FlowContext } from "./flow.ts"

/** Maximum number of pending sign-ins in one browser. A new one replaces the oldest. */
const maxPending = 8
/** Maximum length of their cookies together: servers refuse large headers. */
const maxTotalLength = 6000

/** The pending sign-ins of one kind. */
export class TransactionCookies {
  readonly #context: FlowContext
  readonly #purpose: SealPurpose
  readonly #cookie: CookieDefinition
  readonly #prefix: string

  /** @param cookie its name is the beginning of their names, with `__Host-` where the options permit */
  constructor(context: FlowContext, purpose: SealPurpose, cookie: CookieDefinition) {
    const { secure, path, domain } = cookie.options
    const canUseHostPrefix = secure === true && path === "/" && domain === undefined
    this.#context = context
    this.#purpose = purpose
    this.#cookie = cookie
    this.#prefix = `${canUseHostPrefix ? cookie.name.replace(/^__Secure-/, "__Host-") : cookie.name}.`
  }

  /**
   * Seals the values of a transaction under the key that the response will repeat.
   *
   * @param maxAge in seconds
   */
  async save(key: string, values: object, maxAge: number = pendingSignInMaxAge): Promise<void> {
    const { request, sealer } = this.#context
    const keyHash = await sha256Base64Url(key)
    const sealed = await sealer.seal(this.#purpose, { ...values, keyHash }, maxAge)
    if (this.#listNames().length > 0) await this.#deleteOldest(sealed.length)
    const expires = new Date(Date.now() + maxAge * 1000)
    request.jar.set(this.#getCookie(keyHash), sealed, { expires })
  }

  /** Returns the values that were saved under a key; undefined when this browser has none, or they are too old. */
  async read(key: string): Promise<Record<string, unknown> | undefined> {
    return this.#open(await sha256Base64Url(key))
  }

  async #open(keyHash: string): Promise<Record<string, unknown> | undefined> {
    const { request, sealer } = this.#context
    const sealed = request.cookies.get(this.#getCookie(keyHash).name)
    if (sealed === undefined) return undefined
    const values = await sealer.open(this.#purpose, sealed)
    return values && timingSafeEqual(String(values["keyHash"]), keyHash) ? values : undefined
  }

  /** Returns the values of all transactions that are not too old, newest first. */
  async readAll(): Promise<readonly Record<string, unknown>[]> {
    const pending = await this.#listPending()
    return pending.flatMap(({ name, values }) =>
      values && name === this.#getCookie(String(values["keyHash"])).name ? [values] : [],
    )
  }

  /** Reads a transaction like {@link read}, and deletes its cookie even if the request fails. */
  async consume(key: string): Promise<Record<string, unknown> | undefined> {
    const { jar, cookies } = this.#context.request
    const keyHash = await sha256Base64Url(key)
    const cookie = this.#getCookie(keyHash)
    if (cookies.get(cookie.name) !== undefined) jar.consume(cookie)
    return this.#open(keyHash)
  }

  /** Describes why there is no transaction under a key, as far as the cookies of this browser tell. */
  async describeMissing(key: string): Promise<string> {
    if (!key) return "nothing"
    const names = this.#listNames()
    if (names.includes(this.#getCookie(await sha256Base64Url(key)).name))
      return "a sign-in that began too long ago, or under another secret"
    const others = names.length === 0 ? "no sign-in" : `${names.length} with other states`
    return `a state of ${key.length} characters, and ${others} under way in this browser`
  }

  #getCookie(keyHash: string): CookieDefinition {
    return { ...this.#cookie, name: this.#prefix + keyHash.slice(0, 16) }
  }

  #listNames(): readonly string[] {
    const names = this.#context.request.cookies.namesWithPrefix(this.#prefix)
    // Others cannot be deleted if their names have characters that no response can contain.
    return names.filter((name) => /^[\w-]{16}$/.test(name.slice(this.#prefix.length)))
  }

  /** Opens the cookies of all transactions, newest first. Those that cannot be opened come last. */
  async #listPending() {
    const { request, sealer } = this.#context
    const pending = this.#listNames().map(async (name) => {
      const sealed = request.cookies.get(name) ?? ""
      const values = await sealer.open(this.#purpose, sealed)
      return { name, length: sealed.length, values, issuedAt: Number(values?.["iat"] ?? 0) }
    })
    // Of the same second, browsers send the older one first (RFC 6265bis section 5.8.3).
    return (await Promise.all(pending)).reverse().sort((a, b) => b.issuedAt - a.issuedAt)
  }

  async #deleteOldest(newLength: number): Promise<void> {
    let count = 1
    let totalLength = newLength
    for (const { name, length } of await this.#listPending()) {
      count += 1
      totalLength += length
      if (count > maxPending || totalLength > maxTotalLength)
        this.#context.request.jar.delete({ ...this.#cookie, name })
    }
  }
}
