/** Compact JWE with direct encryption (RFC 7516 section 3.1, RFC 7518 section 4.5). */
import { parseJsonObject } from "../objects.ts"
import { decodeBase64Url, isBase64Url } from "../runtime/base64url.ts"
import { concatBytes, decodeUtf8, encodeUtf8 } from "../runtime/bytes.ts"
import { primitives } from "../runtime/platform.ts"
import type { Cipher, JweParts } from "../runtime/primitives.ts"

/** A key for one purpose, derived from one secret. */
export interface JweKey {
  /** Encoded protected header of the tokens that this key seals. */
  readonly header: string
  readonly cbc: Cipher
  /** RFC 7638 thumbprint of the 64-byte key. */
  readonly cbcThumbprint: string
  readonly gcmKey: Uint8Array
}

/** The content of a token, and the key that it was sealed with. */
export interface OpenedJwe {
  readonly plaintext: string
  readonly key: JweKey
}

/** Derives the key for one secret. `info` and `salt` name the purpose. */
export async function deriveJweKey(secret: string, salt: string, info: string): Promise<JweKey> {
  const cbcKey = await primitives.hkdf(secret, salt, info, 64)
  const cbcThumbprint = await computeThumbprint(cbcKey, "SHA-512")
  const header = JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid: cbcThumbprint })
  return {
    header: primitives.encode(encodeUtf8(header), "base64url"),
    cbc: primitives.cbcHmac(cbcKey),
    cbcThumbprint,
    gcmKey: cbcKey.slice(0, 32), // HKDF-Expand: a shorter output is a prefix of a longer one
  }
}

/** RFC 7638 section 3.2: the required members of a symmetric key, sorted by name. */
export async function computeThumbprint(
  key: Uint8Array,
  algorithm: "SHA-256" | "SHA-512",
): Promise<string> {
  const jwk = JSON.stringify({ k: primitives.encode(key, "base64url"), kty: "oct" })
  return primitives.encode(await primitives.digest(algorithm, jwk), "base64url")
}

/** Seals a text. */
export async function encryptJwe(key: JweKey, plaintext: string): Promise<string> {
  const { iv, ciphertext, tag } = await key.cbc.encrypt(plaintext, key.header)
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

/** Maximum length of a token in characters: more than the cookies of a request can carry. */
const maxTokenLength = 262_144

export const unknownKeyReason = "no matching decryption secret"
const alteredReason = "the token was altered, or sealed under another key"

/** The header may have no other members: none for compression (`zip`), extensions (`crit`), or a key (`jku`, `jwk`). */
const allowedHeaderMembers: ReadonlySet<string> = new Set(["alg", "enc", "kid", "typ", "cty"])

/**
 * Opens a token with the key that its header names; with each key in turn if it names none. Returns the reason if the
 * token is refused.
 */
export async function decryptJwe(
  keys: readonly JweKey[],
  token: string,
): Promise<OpenedJwe | string> {
  if (token.length > maxTokenLength) return "the token is too long"
  const [encodedHeader = "", encryptedKey, iv, ciphertext, tag, more] = token.split(".", 6)
  if (iv === undefined || ciphertext === undefined || tag === undefined || more !== undefined)
    return "the token does not have five parts"
  if (encryptedKey !== "") return "the token carries an encrypted key"
  if (!isBase64Url(iv) || !isBase64Url(ciphertext) || !isBase64Url(tag))
    return "the token is not base64url"
  const parts = { iv, ciphertext, tag }
  const ownKey = keys.find(({ header }) => header === encodedHeader)
  if (ownKey) {
    const plaintext = await ownKey.cbc.decrypt(parts, encodedHeader)
    return plaintext === null ? alteredReason : { plaintext, key: ownKey }
  }
  // Auth.js and NextAuth.js write other headers.
  const header = parseHeader(encodedHeader)
  if (!header) return "the token's header cannot be read"
  const { alg, enc, kid } = header
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM"))
    return "the token uses another algorithm"
  if (Object.keys(header).some((member) => !allowedHeaderMembers.has(member)))
    return "the token asks for an extension"
  const isGcm = enc === "A256GCM"
  let hasKey = false
  for (const key of keys) {
    const { cbc, cbcThumbprint, gcmKey } = key
    const isNamed = async () =>
      kid === (isGcm ? await computeThumbprint(gcmKey, "SHA-256") : cbcThumbprint)
    if (kid !== undefined && !(await isNamed())) continue
    hasKey = true
    const plaintext = await (isGcm
      ? decryptGcm(gcmKey, parts, encodedHeader)
      : cbc.decrypt(parts, encodedHeader))
    if (plaintext !== null) return { plaintext, key }
  }
  return hasKey ? alteredReason : unknownKeyReason
}

function parseHeader(encoded: string): Record<string, unknown> | undefined {
  if (encoded.length > 2048 || !isBase64Url(encoded)) return undefined
  return parseJsonObject(decodeUtf8(decodeBase64Url(encoded)))
}

/** Decrypts A256GCM (RFC 7518 section 5.3). Returns null when key, data or tag do not belong together. */
export async function decryptGcm(
  key: Uint8Array,
  parts: JweParts,
  aad: string,
): Promise<string | null> {
  const [iv, tag] = [decodeBase64Url(parts.iv), decodeBase64Url(parts.tag)]
  if (iv.length !== 12 || tag.length !== 16) return null
  const algorithm = { name: "AES-GCM", iv, additionalData: encodeUtf8(aad) }
  const sealed = concatBytes([decodeBase64Url(parts.ciphertext), tag])
  const bytes = new Uint8Array(key)
  const importedKey = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"])
  try {
    return decodeUtf8(await crypto.subtle.decrypt(algorithm, importedKey, sealed))
  } catch {
    return null // WebCrypto rejects if the tag does not match
  }
}
