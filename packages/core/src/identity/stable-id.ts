import { sha256Hex } from "../crypto/digest.ts"

/**
 * Creates the id of a user who is not stored: the same at every sign-in, different for every account. It has the shape
 * of a UUID (RFC 9562, version 8).
 */
export async function createStableId(provider: string, providerAccountId: string): Promise<string> {
  const hash = await sha256Hex(`${provider}\n${providerAccountId}`)
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-8$3-${variant}$4-`)
}
