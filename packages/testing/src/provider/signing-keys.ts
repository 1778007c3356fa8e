import type { JWK } from "jose"
import { calculateJwkThumbprint, exportJWK, exportSPKI, generateKeyPair } from "jose"
import type { SigningAlgorithm } from "./types.ts"

/** A key pair of the provider or of somebody else. */
export interface SigningKey {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  /** The public half with `kid`, `use` and `alg`. */
  readonly jwk: JWK
  /** The public half as PEM text. */
  readonly pem: string
}

const keyCache = new Map<string, Promise<SigningKey>>()

/**
 * Gives the key of an owner: the same one each time within a process, because RSA keys take a tenth of a
 * second to make. `owner` tells providers apart, `generation` the keys of one provider over time.
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

/** Lets an RSA key sign with PS256: the same key, an algorithm that the provider never announced. */
export async function toPs256Key(key: SigningKey): Promise<Pick<SigningKey, "alg" | "privateKey">> {
  const algorithm = { name: "RSA-PSS", hash: "SHA-256" }
  const secret = await crypto.subtle.exportKey("pkcs8", key.privateKey)
  const privateKey = await crypto.subtle.importKey("pkcs8", secret, algorithm, false, ["sign"])
  return { alg: "PS256", privateKey }
}
