import { sha256Hex } from "../crypto/digest.ts"

/**
 * The id of a person that no database knows: the same at every sign-in, different for every account. It has
 * the shape of a UUID (RFC 9562, version 8).
 */
export async function createStableId(provider: string, providerAccountId: string): Promise<string> {
  const hash = await sha256Hex(`${provider}\n${providerAccountId}`)
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return parts.join("-")
}
