/** Short-lived values that leave in a cookie or a URL and come back: sealed, timed, bound to a purpose. */
import { decryptJwe, deriveJweKey, encryptJwe, type JweKey } from "./jwe.ts"

/** What a seal is for. */
export type SealPurpose = "error report" | "transaction" | "proxied state" | "passkey challenge"

/** Seals and opens values under the configured secrets. */
export interface Sealer {
  /** @param lifetime in seconds */
  seal(purpose: SealPurpose, value: object, lifetime: number): Promise<string>
  /** The value, or undefined when it was not sealed here for this purpose, or is too old. */
  open(purpose: SealPurpose, sealed: string): Promise<Record<string, unknown> | undefined>
}

/** The salt of a proxied state is shared with sibling deployments, and so is its derivation. */
function deriveSealKey(secret: string, purpose: SealPurpose): Promise<JweKey> {
  if (purpose === "proxied state") {
    return deriveJweKey(secret, "encodedState", "Auth.js Generated Encryption Key (encodedState)")
  }
  return deriveJweKey(secret, "latchkey", `Latchkey ${purpose} key`)
}

/** Creates a sealer; keys are derived at their first use and kept. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = new Map<SealPurpose, Promise<readonly JweKey[]>>()
  const getKeys = (purpose: SealPurpose): Promise<readonly JweKey[]> => {
    const cached = keys.get(purpose)
    if (cached) return cached
    const derivedKeys = Promise.all(secrets.map((secret) => deriveSealKey(secret, purpose)))
    keys.set(purpose, derivedKeys)
    return derivedKeys
  }
  return {
    async seal(purpose, value, lifetime) {
      const [key] = await getKeys(purpose)
      if (!key) throw new TypeError("`secret` must hold at least one secret")
      const iat = Math.floor(Date.now() / 1000)
      const claims = { ...value, iat, exp: iat + lifetime, jti: crypto.randomUUID() }
      return encryptJwe(key, JSON.stringify(claims))
    },
    async open(purpose, sealed) {
      const decrypted = await decryptJwe(await getKeys(purpose), sealed)
      if (decrypted.kind === "refused") return undefined
      const value: Record<string, unknown> = JSON.parse(decrypted.plaintext)
      const now = Math.floor(Date.now() / 1000)
      return typeof value["exp"] === "number" && value["exp"] > now ? value : undefined
    },
  }
}
