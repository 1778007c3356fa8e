/** Compact JWE with direct encryption (RFC 7516 section 3.1, RFC 7518 section 4.5). */

import { parseJsonObject } from "../objects.ts"
import { decodeBase64Url, encodeBase64Url, isBase64Url } from "../runtime/base64url.ts"
import { primitives } from "../runtime/platform.ts"
import type { Cipher } from "../runtime/primitives.ts"
import { decodeUtf8, decryptGcm, encodeUtf8 } from "../runtime/primitives.web.ts"

/** A key for one purpose, derived from one secret. */
export interface JweKey {
  /** Encoded protected header of the tokens that this key seals. */
  readonly header: string
  readonly cbc: Cipher
  /** RFC 7638 thumbprint of the 64-byte key. */
  readonly cbcThumbprint: string
  readonly gcm: Pick<Cipher, "decrypt">
  /** RFC 7638 thumbprint of the 32-byte key. */
  readonly gcmThumbprint: string
}

/** Maximum length of a token in characters: more than the cookies of a request can carry. */
const maxTokenLength = 262_144

/** Derives the key for one secret. `info` and `salt` name the purpose. */
export async function deriveJweKey(secret: string, salt: string, info: string): Promise<JweKey> {
  const cbcKey = await primitives.hkdf(secret, salt, info, 64)
  const gcmKey = cbcKey.slice(0, 32) // HKDF-Expand: a shorter output is a prefix of a longer one
  const cbcThumbprint = await computeThumbprint(cbcKey, "SHA-512")
  const header = JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid: cbcThumbprint })
  return {
    header: encodeBase64Url(encodeUtf8(header)),
    cbc: primitives.cbcHmac(cbcKey),
    cbcThumbprint,
    gcm: { decrypt: (parts, aad) => decryptGcm(gcmKey, parts, aad) },
    gcmThumbprint: await computeThumbprint(gcmKey, "SHA-256"),
  }
}

/** RFC 7638 section 3.2: the required members of a symmetric key, sorted by name. */
async function computeThumbprint(
  key: Uint8Array,
  algorithm: "SHA-256" | "SHA-512",
): Promise<string> {
  const jwk = JSON.stringify({ k: encodeBase64Url(key), kty: "oct" })
  return encodeBase64Url(await primitives.digest(algorithm, jwk))
}

/** Seals a text. */
export async function encryptJwe(key: JweKey, plaintext: string): Promise<string> {
  const encrypting = key.cbc.encrypt(plaintext, key.header)
  const { iv, ciphertext, tag } = encrypting instanceof Promise ? await encrypting : encrypting
  return `${key.header}..${iv}.${ciphertext}.${tag}`
}

/**
 * Seals claims with the time and a random id.
 *
 * @param lifetime in seconds
 */
export function sealClaims(key: JweKey, claims: object, lifetime: number): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const sealed = { ...claims, iat, exp: iat + lifetime, jti: crypto.randomUUID() }
  return encryptJwe(key, JSON.stringify(sealed))
}

export type JweDecryptionResult =
  | { readonly kind: "opened"; readonly plaintext: string; readonly key: JweKey }
  | { readonly kind: "refused"; readonly reason: string }

/** Opens a token with the key that its header names; with each key in turn if it names none. */
export async function decryptJwe(
  keys: readonly JweKey[],
  token: string,
): Promise<JweDecryptionResult> {
  const refuse = (reason: string): JweDecryptionResult => ({ kind: "refused", reason })
  if (token.length > maxTokenLength) return refuse("the token is too long")
  const [header = "", encryptedKey, iv, ciphertext, tag, more] = token.split(".", 6)
  if (iv === undefined || ciphertext === undefined || tag === undefined || more !== undefined) {
    return refuse("the token does not have five parts")
  }
  if (encryptedKey !== "") return refuse("the token carries an encrypted key")
  if (!isBase64Url(iv) || !isBase64Url(ciphertext) || !isBase64Url(tag)) {
    return refuse("the token is not base64url")
  }
  const found = findKeys(keys, header)
  if (typeof found === "string") return refuse(found)
  for (const key of found.keys) {
    const decrypting = key[found.cipher].decrypt({ iv, ciphertext, tag }, header)
    const plaintext = decrypting instanceof Promise ? await decrypting : decrypting
    if (plaintext !== null) return { kind: "opened", plaintext, key }
  }
  return refuse("the token was altered, or sealed under another key")
}

/** The header may have no other members: none for compression (`zip`), extensions (`crit`), or a key (`jku`, `jwk`). */
const allowedHeaderMembers: ReadonlySet<string> = new Set(["alg", "enc", "kid", "typ", "cty"])

/** Returns the keys to try with a cipher, or the reason why the token is refused. */
function findKeys(
  keys: readonly JweKey[],
  encoded: string,
): { readonly keys: readonly JweKey[]; readonly cipher: "cbc" | "gcm" } | string {
  // Avoids parsing the header of tokens that this library sealed.
  const ownKey = keys.find(({ header }) => header === encoded)
  if (ownKey) return { keys: [ownKey], cipher: "cbc" }
  const header = parseHeader(encoded)
  if (!header) return "the token's header cannot be read"
  const { alg, enc, kid } = header
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) {
    return "the token uses another algorithm"
  }
  if (Object.keys(header).some((member) => !allowedHeaderMembers.has(member))) {
    return "the token asks for an extension"
  }
  const cipher = enc === "A256GCM" ? "gcm" : "cbc"
  const matching = keys.filter((key) => kid === undefined || kid === key[`${cipher}Thumbprint`])
  return matching.length === 0 ? "no matching decryption secret" : { keys: matching, cipher }
}

function parseHeader(encoded: string): Record<string, unknown> | undefined {
  if (encoded.length > 2048 || !isBase64Url(encoded)) return undefined
  return parseJsonObject(decodeUtf8(decodeBase64Url(encoded)))
}
