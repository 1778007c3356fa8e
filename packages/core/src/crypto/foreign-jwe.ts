/** Opens tokens whose header this library does not write, such as those of NextAuth.js 4. */
import { parseJsonObject } from "../objects.ts"
import { decodeBase64Url } from "../runtime/base64url.ts"
import { decodeUtf8 } from "../runtime/bytes.ts"
import { decryptGcm } from "../runtime/decrypt-gcm.ts"
import { isBase64Url } from "../runtime/is-base64url.ts"
import { computeThumbprint, type JweKey } from "./jwe-key.ts"
import { alteredReason, type OpenedJwe, type ParsedJwe } from "./jwe-parts.ts"

/** The header may have no other members: none for compression (`zip`), extensions (`crit`), or a key (`jku`, `jwk`). */
const allowedHeaderMembers: ReadonlySet<string> = new Set(["alg", "enc", "kid", "typ", "cty"])

/**
 * Opens a token with the key that its header names; with each key in turn if it names none. Returns the reason if the
 * token is refused.
 */
export async function decryptForeignJwe(
  keys: readonly JweKey[],
  { header: encoded, parts }: ParsedJwe,
): Promise<OpenedJwe | string> {
  const header = parseHeader(encoded)
  if (!header) return "the token's header cannot be read"
  const { alg, enc, kid } = header
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) {
    return "the token uses another algorithm"
  }
  if (Object.keys(header).some((member) => !allowedHeaderMembers.has(member))) {
    return "the token asks for an extension"
  }
  const isGcm = enc === "A256GCM"
  let hasKey = false
  for (const key of keys) {
    const { cbc, cbcThumbprint, gcmKey } = key
    const isNamed = async () =>
      kid === (isGcm ? await computeThumbprint(gcmKey, "SHA-256") : cbcThumbprint)
    if (kid !== undefined && !(await isNamed())) continue
    hasKey = true
    const plaintext = await (isGcm
      ? decryptGcm(gcmKey, parts, encoded)
      : cbc.decrypt(parts, encoded))
    if (plaintext !== null) return { plaintext, key }
  }
  return hasKey ? alteredReason : "no matching decryption secret"
}

function parseHeader(encoded: string): Record<string, unknown> | undefined {
  if (encoded.length > 2048 || !isBase64Url(encoded)) return undefined
  return parseJsonObject(decodeUtf8(decodeBase64Url(encoded)))
}
