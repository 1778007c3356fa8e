import type { Signer } from "./jws.ts"
import { computeAtHash, createCompactJws, createKeySigner } from "./jws.ts"
import type { SigningKey } from "./signing-keys.ts"
import type { Claims } from "./types.ts"

/** The parts of an ID token, which a modifier can change before the token is signed. */
export interface IdTokenParts {
  claims: Claims
  header: Claims
  sign: Signer
  /** Converts the signed token to the `id_token` of the token response; `undefined` omits it. */
  serialize: (signed: string) => unknown | Promise<unknown>
  /** The provider's current key. */
  readonly key: SigningKey
  /** A key that the provider never had. */
  readonly unrelatedKey: SigningKey
  readonly clientId: string
  readonly clientSecret: string
  /** Seconds since 1970. */
  readonly now: number
}

/** Changes the parts of an ID token. */
export type IdTokenModifier = (parts: IdTokenParts) => void | Promise<void>

/** The contents of an honest ID token. */
export interface IdTokenInput {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly user: Claims
  readonly accessToken: string
  readonly nonce: string | undefined
  readonly key: SigningKey
  readonly unrelatedKey: SigningKey
}

/** Creates the `id_token` of a token response (OpenID Connect Core 2), changed by the modifier if there is one. */
export async function createIdToken(
  input: IdTokenInput,
  modify?: IdTokenModifier,
): Promise<unknown> {
  const parts = await createIdTokenParts(input)
  await modify?.(parts)
  return parts.serialize(await createCompactJws(parts.header, parts.claims, parts.sign))
}

async function createIdTokenParts(input: IdTokenInput): Promise<IdTokenParts> {
  const { clientId, clientSecret, key, unrelatedKey } = input
  const now = Math.floor(Date.now() / 1000)
  return {
    claims: {
      iss: input.issuer,
      aud: clientId,
      ...input.user,
      exp: now + 3600,
      iat: now,
      auth_time: now,
      ...(input.nonce !== undefined && { nonce: input.nonce }),
      at_hash: await computeAtHash(input.accessToken),
    },
    header: { alg: key.alg, typ: "JWT", kid: key.kid },
    sign: createKeySigner(key.alg, key.privateKey),
    serialize: (signed) => signed,
    key,
    unrelatedKey: unrelatedKey,
    clientId,
    clientSecret,
    now,
  }
}
