import { decodeBase64Url } from "./base64url.ts"
import { concatBytes, decodeUtf8, encodeUtf8 } from "./bytes.ts"
import type { JweParts } from "./primitives.ts"

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
