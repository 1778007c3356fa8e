/** Decodes tokens with the application's own `jwt.decode`. */
import type { ResolvedJWT } from "../../config/resolved-config.ts"
import type { TokenReadResult } from "../../crypto/jwt.ts"
import { isObject } from "../../objects.ts"

/** The result of decoding. `cause` is what `jwt.decode` threw. */
export type DecodedToken = TokenReadResult & {
  readonly keepCookie?: boolean
  readonly cause?: unknown
}

/** Decodes a token. Never throws. */
export async function decodeWithCodec(
  codec: ResolvedJWT["codec"],
  token: string,
  salt: string,
): Promise<DecodedToken> {
  try {
    const claims = await codec.decode?.({ ...codec, token, salt })
    const keepCookie = (claims ?? null) !== null // neither claims nor a refusal
    if (!isObject(claims))
      return { kind: "invalid", reason: "`jwt.decode` does not accept it", keepCookie }
    // The codec may keep the object, and callbacks may change the claims.
    return { kind: "valid", claims: { ...claims }, usesFirstSecret: true }
  } catch (cause) {
    return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true, cause }
  }
}
