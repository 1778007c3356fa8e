/** Compact JWE with direct encryption (RFC 7516 section 3.1, RFC 7518 section 4.5). */
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { JweKey } from "./jwe-key.ts"
import { alteredReason, type OpenedJwe, parseJwe } from "./jwe-parts.ts"

/** The tokens of this library do not need it. */
const decryptForeignJwe = loadOnFirstCall(
  async () => (await import("./foreign-jwe.ts")).decryptForeignJwe,
)

/** Seals a text. */
export async function encryptJwe(key: JweKey, plaintext: string): Promise<string> {
  const encrypting = key.cbc.encrypt(plaintext, key.header)
  const { iv, ciphertext, tag } = "iv" in encrypting ? encrypting : await encrypting
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

/** Opens a token with one of the keys. Returns the reason if the token is refused. */
export async function decryptJwe(
  keys: readonly JweKey[],
  token: string,
): Promise<OpenedJwe | string> {
  const parsed = parseJwe(token)
  if (typeof parsed === "string") return parsed
  const { header, parts } = parsed
  const key = keys.find((each) => each.header === header)
  if (!key) return decryptForeignJwe(keys, parsed)
  const decrypting = key.cbc.decrypt(parts, header)
  const isOpened = decrypting === null || typeof decrypting === "string"
  const plaintext = isOpened ? decrypting : await decrypting
  return plaintext === null ? alteredReason : { plaintext, key }
}
