import type { CryptoKey, JWK } from "jose"
import { calculateJwkThumbprint, exportJWK, exportSPKI, generateKeyPair } from "jose"
import type { SigningAlgorithm } from "./types.ts"

/** A key pair of the provider or another party. */
export interface SigningKey {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  /** The public key with `kid`, `use` and `alg`. */
  readonly jwk: JWK
  /** The public key in PEM. */
  readonly pem: string
}

const keyCache = new Map<string, Promise<SigningKey>>()

/**
 * Returns the key of an owner. It is generated once per process, because an RSA key takes a tenth of a second. `owner`
 * distinguishes providers, `generation` the successive keys of one provider.
 */
export function getSigningKey(
  owner: string,
  alg: SigningAlgorithm,
  generation = 0,
): Promise<SigningKey> {
  const cacheKey = `${owner} ${alg} ${generation}`
  const keyPromise = keyCache.get(cacheKey) ?? generateSigningKey(alg)
  keyCache.set(cacheKey, keyPromise)
  return keyPromise
}

async function generateSigningKey(alg: SigningAlgorithm): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const jwk: JWK = { ...publicJwk, kid, use: "sig", alg }
  return { alg, kid, privateKey, publicKey, jwk, pem: await exportSPKI(publicKey) }
}

/** Converts an RSA key to one that signs with PS256, an algorithm that the provider never announced. */
export async function toPs256Key(key: SigningKey): Promise<Pick<SigningKey, "alg" | "privateKey">> {
  const algorithm = { name: "RSA-PSS", hash: "SHA-256" }
  const secret = await crypto.subtle.exportKey("pkcs8", key.privateKey)
  const privateKey = await crypto.subtle.importKey("pkcs8", secret, algorithm, false, ["sign"])
  return { alg: "PS256", privateKey }
}
