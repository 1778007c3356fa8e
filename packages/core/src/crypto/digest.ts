/** Keyed and plain hashes, each kept apart from the others by its purpose. */
import { primitives } from "#primitives"
import type { Mac } from "../runtime/primitives.ts"

/** What a keyed hash is for; a hash made for one purpose is worth nothing for another. */
type HashPurpose = "csrf" | "email link" | "session binding" | "account id" | "passkey challenge"

/** Keyed hashes under every configured secret. */
export interface Hasher {
  /** The hash under the first secret. */
  hash(purpose: HashPurpose, text: string): Promise<string>
  /** The hash under each secret, first secret first. */
  hashWithEachSecret(purpose: HashPurpose, text: string): Promise<readonly string[]>
}

/** Creates a hasher; keys are derived with HKDF at their first use and kept. */
export function createHasher(secrets: readonly string[]): Hasher {
  const macs = new Map<HashPurpose, Promise<readonly Mac[]>>()
  const getMacs = (purpose: HashPurpose): Promise<readonly Mac[]> => {
    const cached = macs.get(purpose)
    if (cached) return cached
    const derivedMacs = Promise.all(secrets.map((secret) => deriveMac(secret, purpose)))
    macs.set(purpose, derivedMacs)
    return derivedMacs
  }
  const hashWithEachSecret = async (purpose: HashPurpose, text: string) => {
    const hashes: string[] = []
    for (const mac of await getMacs(purpose)) hashes.push(await mac(text))
    return hashes
  }
  return {
    hashWithEachSecret,
    async hash(purpose, text) {
      const [mac] = await getMacs(purpose)
      if (!mac) throw new TypeError("`secret` must hold at least one secret")
      return mac(text)
    },
  }
}

async function deriveMac(secret: string, purpose: HashPurpose): Promise<Mac> {
  const key = await primitives.hkdf(secret, "latchkey", `Latchkey ${purpose} key`, 32)
  return primitives.mac(key)
}

/** SHA-256 as lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = await primitives.digest("SHA-256", text)
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** SHA-256 as base64url. */
export async function sha256Base64Url(text: string): Promise<string> {
  return primitives.toBase64Url(await primitives.digest("SHA-256", text))
}

/** The left half of a hash as base64url: `at_hash` of OpenID Connect Core 3.1.3.6. */
export async function hashLeftHalf(
  algorithm: "SHA-256" | "SHA-384" | "SHA-512",
  text: string,
): Promise<string> {
  const hash = await primitives.digest(algorithm, text)
  return primitives.toBase64Url(hash.slice(0, hash.length / 2))
}

/**
 * The hashes that the predecessor's format has for a text: SHA-256 over the text followed by a secret, for
 * each secret and for all of them joined by commas. Links and forms made before a migration stay good.
 */
export function computeAuthjsHashes(text: string, secrets: readonly string[]): Promise<string[]> {
  const keys = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
  return Promise.all(keys.map((secret) => sha256Hex(text + secret)))
}
