/** The key pair of a passkey: ECDSA with P-256 and SHA-256 (ES256). */
import { type Bytes, concatBytes, encodeCbor } from "./cbor.ts"

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const

export interface PasskeyKeyPair {
  /** The public key as COSE_Key (RFC 9052 section 7). */
  readonly cosePublicKey: Bytes
  /** Signs, and encodes the signature in DER as authenticators do. */
  sign(data: Bytes): Promise<Bytes>
}

/** Generates a key pair. */
export async function generatePasskeyKeyPair(): Promise<PasskeyKeyPair> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))
  const cosePublicKey = new Map<number, number | Uint8Array>([
    [1, 2], // key type: two coordinates
    [3, -7], // algorithm: ES256
    [-1, 1], // curve: P-256
    [-2, point.slice(1, 33)],
    [-3, point.slice(33, 65)],
  ])
  return {
    cosePublicKey: encodeCbor(cosePublicKey),
    async sign(data) {
      const signature = await crypto.subtle.sign(algorithm, pair.privateKey, data)
      return encodeDerSignature(new Uint8Array(signature))
    },
  }
}

/** Converts two concatenated numbers to a sequence of two numbers (RFC 3279 section 2.2.3). */
function encodeDerSignature(signature: Uint8Array): Bytes {
  const numbers = concatBytes(
    encodeDerInteger(signature.slice(0, 32)),
    encodeDerInteger(signature.slice(32)),
  )
  return concatBytes(Uint8Array.of(0x30, numbers.length), numbers)
}

/** Encodes a positive number in the shortest form: without leading zeros, except for one that keeps it positive. */
function encodeDerInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.slice(Math.max(start, 0))
  const positive = (digits[0] ?? 0) < 0x80 ? digits : concatBytes(Uint8Array.of(0), digits)
  return concatBytes(Uint8Array.of(0x02, positive.length), positive)
}
