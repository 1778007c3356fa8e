import { base64url, type CryptoKey } from "jose"
import type { Claims, SigningAlgorithm } from "./types.ts"

/** Computes the signature of a JWS signing input. */
export type Signer = (input: string) => Promise<Uint8Array>

const algorithms: Record<SigningAlgorithm, AlgorithmIdentifier | EcdsaParams | RsaPssParams> = {
  RS256: "RSASSA-PKCS1-v1_5",
  ES256: { name: "ECDSA", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
}

/**
 * Creates a JWS in compact form (RFC 7515 section 7.1). It accepts any header, which libraries for honest tokens would
 * refuse.
 */
export async function createCompactJws(
  header: Claims,
  payload: unknown,
  sign: Signer,
): Promise<string> {
  const input = `${encodeJson(header)}.${encodeJson(payload)}`
  return `${input}.${base64url.encode(await sign(input))}`
}

/** Creates a signer with a private key. */
export function createKeySigner(alg: SigningAlgorithm, key: CryptoKey): Signer {
  return async (input) =>
    new Uint8Array(await crypto.subtle.sign(algorithms[alg], key, encodeText(input)))
}

/** Creates a signer with HMAC SHA-256 and a text as the key. */
export function createHmacSigner(secret: string): Signer {
  return async (input) => {
    const algorithm = { name: "HMAC", hash: "SHA-256" }
    const key = await crypto.subtle.importKey("raw", encodeText(secret), algorithm, false, ["sign"])
    return new Uint8Array(await crypto.subtle.sign(algorithm.name, key, encodeText(input)))
  }
}

/** Returns an empty signature. */
export const emptySigner: Signer = async () => new Uint8Array()

/** Returns the left half of a SHA-256 digest, for `at_hash` (OpenID Connect Core 3.1.3.6). */
export async function computeAtHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encodeText(text))
  return base64url.encode(new Uint8Array(digest, 0, 16))
}

function encodeJson(value: unknown): string {
  return base64url.encode(JSON.stringify(value))
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
