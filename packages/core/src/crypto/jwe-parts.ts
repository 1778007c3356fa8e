/** The parts of a compact JWE with direct encryption (RFC 7516 section 3.1, RFC 7518 section 4.5). */
import { isBase64Url } from "../runtime/is-base64url.ts"
import type { JweParts } from "../runtime/primitives.ts"
import type { JweKey } from "./jwe-key.ts"

/** A token whose parts are well-formed. */
export interface ParsedJwe {
  /** The encoded protected header. */
  readonly header: string
  readonly parts: JweParts
}

/** The content of a token, and the key that it was sealed with. */
export interface OpenedJwe {
  readonly plaintext: string
  readonly key: JweKey
}

export const alteredReason = "the token was altered, or sealed under another key"

/** Maximum length of a token in characters: more than the cookies of a request can carry. */
const maxTokenLength = 262_144

/** Splits a token into its parts. Returns the reason if it is not well-formed. */
export function parseJwe(token: string): ParsedJwe | string {
  if (token.length > maxTokenLength) return "the token is too long"
  const [header = "", encryptedKey, iv, ciphertext, tag, more] = token.split(".", 6)
  if (iv === undefined || ciphertext === undefined || tag === undefined || more !== undefined) {
    return "the token does not have five parts"
  }
  if (encryptedKey !== "") return "the token carries an encrypted key"
  if (!isBase64Url(iv) || !isBase64Url(ciphertext) || !isBase64Url(tag)) {
    return "the token is not base64url"
  }
  return { header, parts: { iv, ciphertext, tag } }
}
