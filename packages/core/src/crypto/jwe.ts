/** Compact JWE with direct encryption (RFC 7516 section 3.1, RFC 7518 section 4.5). */
import { primitives } from "#primitives"
import type { Cipher } from "../runtime/primitives.ts"

/** A key derived from one secret for one purpose, with all that does not change between tokens. */
export interface JweKey {
  /** Encoded protected header of the tokens this key seals. */
  readonly header: string
  readonly cbc: Cipher
  /** RFC 7638 thumbprint of the 64-byte key. */
  readonly cbcThumbprint: string
  readonly gcm: Cipher
  /** RFC 7638 thumbprint of the 32-byte key. */
  readonly gcmThumbprint: string
}

/** Longest token that is looked at, in characters: more than any number of cookies can carry. */
const maxTokenLength = 262_144

/** Derives the key for one secret. `info` and `salt` name the purpose. */
export async function deriveJweKey(secret: string, salt: string, info: string): Promise<JweKey> {
  const cbcKey = await primitives.hkdf(secret, salt, info, 64)
  const gcmKey = cbcKey.slice(0, 32) // HKDF-Expand: the shorter output is a prefix of the longer one
  const cbcThumbprint = await computeThumbprint("SHA-512", cbcKey)
  const header = JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid: cbcThumbprint })
  return {
    header: primitives.toBase64Url(new TextEncoder().encode(header)),
    cbc: primitives.cbcHmac(cbcKey),
    cbcThumbprint,
    gcm: primitives.gcm(gcmKey),
    gcmThumbprint: await computeThumbprint("SHA-256", gcmKey),
  }
}

async function computeThumbprint(
  algorithm: "SHA-256" | "SHA-512",
  key: Uint8Array,
): Promise<string> {
  const jwk = `{"k":"${primitives.toBase64Url(key)}","kty":"oct"}`
  return primitives.toBase64Url(await primitives.digest(algorithm, jwk))
}

/** Seals a text under a key. */
export async function encryptJwe(key: JweKey, plaintext: string): Promise<string> {
  const { iv, ciphertext, tag } = await key.cbc.encrypt(plaintext, key.header)
  return `${key.header}..${iv}.${ciphertext}.${tag}`
}

/** What became of a token: its plaintext, or why it cannot be trusted. */
export type JweDecryptionResult =
  | { readonly kind: "opened"; readonly plaintext: string; readonly key: JweKey }
  | { readonly kind: "refused"; readonly reason: string }

const createFailure = (reason: string): JweDecryptionResult => ({ kind: "refused", reason })

/** Opens a token with the one key that its header names, or with the first one that fits when it names none. */
export async function decryptJwe(
  keys: readonly JweKey[],
  token: string,
): Promise<JweDecryptionResult> {
  if (token.length > maxTokenLength) return createFailure("the token is too long")
  const [header = "", encryptedKey, iv, ciphertext, tag, more] = token.split(".", 6)
  if (iv === undefined || ciphertext === undefined || tag === undefined || more !== undefined) {
    return createFailure("the token does not have five parts")
  }
  if (encryptedKey !== "") return createFailure("the token carries an encrypted key")
  if (!isBase64Url(iv) || !isBase64Url(ciphertext) || !isBase64Url(tag)) {
    return createFailure("the token is not base64url")
  }
  const selection = selectKeys(keys, header)
  if (selection.kind === "refused") return selection
  for (const key of selection.keys) {
    const plaintext = await selection.getCipher(key).decrypt({ iv, ciphertext, tag }, header)
    if (plaintext !== null) return { kind: "opened", plaintext, key }
  }
  return createFailure("the token was altered, or sealed under another key")
}

/** All that a header may have: nothing compressed (`zip`), critical, or naming a key of its own (`jku`, `jwk`). */
const allowedHeaderMembers: ReadonlySet<string> = new Set(["alg", "enc", "kid", "typ", "cty"])

type KeySelection =
  | {
      readonly kind: "chosen"
      /** To be tried in this order. */
      readonly keys: readonly JweKey[]
      readonly getCipher: (key: JweKey) => Cipher
    }
  | { readonly kind: "refused"; readonly reason: string }

function selectKeys(keys: readonly JweKey[], header: string): KeySelection {
  // Everything sealed by this library has one of a few known headers, so most tokens end here.
  for (const key of keys) {
    if (key.header === header) return { kind: "chosen", keys: [key], getCipher: ({ cbc }) => cbc }
  }
  return selectKeysByHeader(keys, parseHeader(header))
}

function selectKeysByHeader(
  keys: readonly JweKey[],
  header: Record<string, unknown> | undefined,
): KeySelection {
  if (!header) return { kind: "refused", reason: "the token's header cannot be read" }
  const { alg, enc, kid } = header
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) {
    return { kind: "refused", reason: "the token uses another algorithm" }
  }
  if (Object.keys(header).some((member) => !allowedHeaderMembers.has(member))) {
    return { kind: "refused", reason: "the token asks for an extension" }
  }
  const getThumbprint = (key: JweKey) => (enc === "A256GCM" ? key.gcmThumbprint : key.cbcThumbprint)
  const matchingKeys = kid === undefined ? keys : keys.filter((key) => getThumbprint(key) === kid)
  if (matchingKeys.length === 0) return { kind: "refused", reason: "no matching decryption secret" }
  return {
    kind: "chosen",
    keys: matchingKeys,
    getCipher: ({ gcm, cbc }) => (enc === "A256GCM" ? gcm : cbc),
  }
}

function parseHeader(header: string): Record<string, unknown> | undefined {
  if (header.length > 2048 || !isBase64Url(header)) return undefined
  try {
    const parsed: unknown = JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/")))
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? { ...parsed }
      : undefined
  } catch {
    return undefined // not JSON: there is nothing more to say of it than the caller says
  }
}

const base64UrlPattern = /^[A-Za-z0-9_-]+$/

/** Accepts only the one way to write some bytes: unused bits are zero, so that no two tokens are equal. */
function isBase64Url(text: string): boolean {
  if (!base64UrlPattern.test(text)) return false
  const rest = text.length % 4
  const last = text.charAt(text.length - 1)
  if (rest === 2) return "AQgw".includes(last)
  if (rest === 3) return "AEIMQUYcgkosw048".includes(last)
  return rest === 0
}
