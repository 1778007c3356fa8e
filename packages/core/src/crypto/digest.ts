/** Keyed and plain hashes. */
import { primitives } from "../runtime/platform.ts"
import type { Mac } from "../runtime/primitives.ts"
import type { Awaitable } from "../types.ts"
import { memoize } from "./memoize.ts"
import type { HashPurpose } from "./purposes.ts"

/** Keyed hashes under the configured secrets. */
export interface Hasher {
  /** Hashes a text under the first secret. */
  hash(purpose: HashPurpose, text: string): Promise<string>
  /** Hashes a text under each secret, in their order. */
  hashWithEachSecret(purpose: HashPurpose, text: string): Promise<readonly string[]>
  /**
   * Hashes a text like Auth.js, so that links and forms that it issued stay valid: SHA-256 over the text
   * followed by a secret, for each secret and for all of them joined by commas.
   */
  hashLikeAuthjs(text: string): Promise<readonly string[]>
}

/** Creates a hasher, which derives its keys when it first needs them. */
export function createHasher(secrets: readonly string[]): Hasher {
  const deriveMac = async (secret: string, purpose: HashPurpose): Promise<Mac> =>
    primitives.mac(await primitives.hkdf(secret, "latchkey", `Latchkey ${purpose} key`, 32))
  const getMacs = memoize((purpose: HashPurpose) =>
    Promise.all(secrets.map((secret) => deriveMac(secret, purpose))),
  )
  return {
    async hash(purpose, text) {
      const [mac] = await getMacs(purpose)
      if (!mac) throw new TypeError("`secret` must hold at least one secret")
      return mac(text)
    },
    async hashWithEachSecret(purpose, text) {
      return Promise.all((await getMacs(purpose)).map((mac) => mac(text)))
    },
    hashLikeAuthjs(text) {
      const suffixes = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
      return Promise.all(suffixes.map((suffix) => sha256Hex(text + suffix)))
    },
  }
}

/** Returns the SHA-256 hash of a text as lower-case hex. */
export function sha256Hex(text: string): Awaitable<string> {
  return primitives.sha256(text, "hex")
}

/** Returns the SHA-256 hash of a text as base64url. */
export function sha256Base64Url(text: string): Awaitable<string> {
  return primitives.sha256(text, "base64url")
}
