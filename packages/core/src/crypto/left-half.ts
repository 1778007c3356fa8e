import { primitives } from "../runtime/platform.ts"

/**
 * Returns the left half of a hash as base64url: `at_hash` of OpenID Connect Core 3.1.3.6.
 *
 * @param signatureAlgorithm its hash is used, such as SHA-256 for RS256
 */
export async function hashLeftHalf(signatureAlgorithm: string, text: string): Promise<string> {
  const size = (["256", "384"] as const).find((end) => signatureAlgorithm.endsWith(end)) ?? "512"
  const hash = await primitives.digest(`SHA-${size}`, text)
  return primitives.encode(hash.slice(0, hash.length / 2), "base64url")
}
