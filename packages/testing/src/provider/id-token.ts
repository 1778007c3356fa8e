import type { Signer } from "./compact.ts"
import { compact, halfHash, withKey } from "./compact.ts"
import type { SigningKey } from "./keys.ts"
import type { Claims } from "./types.ts"

/** What an ID token is made from; a script changes any of it before the token is signed. */
export interface IdTokenParts {
  claims: Claims
  header: Claims
  sign: Signer
  /** Turns the signed token into what the token endpoint answers as `id_token`; `undefined` leaves it out. */
  finish: (signed: string) => unknown | Promise<unknown>
  /** The provider's key of now. */
  readonly key: SigningKey
  /** A key that the provider never had. */
  readonly foreignKey: SigningKey
  readonly clientId: string
  readonly clientSecret: string
  /** Seconds since 1970. */
  readonly now: number
}

/** Changes the parts of an ID token. */
export type IdTokenScript = (parts: IdTokenParts) => void | Promise<void>

/** The facts that an honest ID token states. */
export interface IdTokenFacts {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly user: Claims
  readonly accessToken: string
  readonly nonce: string | undefined
  readonly key: SigningKey
  readonly foreignKey: SigningKey
}

/** Mints the `id_token` of a token answer (OpenID Connect Core 2): honest, unless the script changes it. */
export async function mintIdToken(facts: IdTokenFacts, script?: IdTokenScript): Promise<unknown> {
  const parts = await honestParts(facts)
  await script?.(parts)
  return parts.finish(await compact(parts.header, parts.claims, parts.sign))
}

async function honestParts(facts: IdTokenFacts): Promise<IdTokenParts> {
  const { clientId, clientSecret, key, foreignKey } = facts
  const now = Math.floor(Date.now() / 1000)
  return {
    claims: {
      iss: facts.issuer,
      aud: clientId,
      ...facts.user,
      exp: now + 3600,
      iat: now,
      auth_time: now,
      ...(facts.nonce !== undefined && { nonce: facts.nonce }),
      at_hash: await halfHash(facts.accessToken),
    },
    header: { alg: key.alg, typ: "JWT", kid: key.kid },
    sign: withKey(key.alg, key.privateKey),
    finish: (signed) => signed,
    key,
    foreignKey,
    clientId,
    clientSecret,
    now,
  }
}
