/** Seals short-lived values for a cookie or a URL, each for one purpose. */
import { parseJsonObject } from "../objects.ts"
import { decryptJwe, deriveJweKey, sealClaims } from "./jwe.ts"
import { memoize } from "./memoize.ts"
import type { SealPurpose } from "./purposes.ts"

/** Seals and opens values under the configured secrets. */
export interface Sealer {
  /** @param lifetime in seconds */
  seal(purpose: SealPurpose, value: object, lifetime: number): Promise<string>
  /** Returns the value; undefined if it was not sealed for this purpose, or has expired. */
  open(purpose: SealPurpose, sealed: string): Promise<Record<string, unknown> | undefined>
}

/**
 * Creates a sealer, which derives its keys when it first needs them.
 *
 * @param proxySecrets the secrets of states for a redirect proxy
 */
export function createSealer(
  secrets: readonly string[],
  proxySecrets: readonly string[] = secrets,
): Sealer {
  const getKeys = memoize((purpose: SealPurpose) => {
    // Deployments of Auth.js behind the same redirect proxy derive the key of a state in the same way.
    const [salt, info, ownSecrets] =
      purpose === "proxied state"
        ? ["encodedState", "Auth.js Generated Encryption Key (encodedState)", proxySecrets]
        : ["latchkey", `Latchkey ${purpose} key`, secrets]
    return Promise.all(ownSecrets.map((secret) => deriveJweKey(secret, salt, info)))
  })
  return {
    async seal(purpose, value, lifetime) {
      const [key] = await getKeys(purpose)
      if (!key) throw new TypeError("`secret` must hold at least one secret")
      return sealClaims(key, value, lifetime)
    },
    async open(purpose, sealed) {
      const decrypted = await decryptJwe(await getKeys(purpose), sealed)
      if (typeof decrypted === "string") return undefined
      const value = parseJsonObject(decrypted.plaintext)
      return Number(value?.["exp"]) > Math.floor(Date.now() / 1000) ? value : undefined
    },
  }
}
