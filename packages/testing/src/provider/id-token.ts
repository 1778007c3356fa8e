import { randomUUID } from "node:crypto"
import type { Signer } from "./jws.ts"
import { computeAtHash, createCompactJws, createKeySigner } from "./jws.ts"
import type { SigningKey } from "./signing-keys.ts"
import type { Claims } from "./types.ts"

/** The parts of an ID token or a logout token, which a modifier can change before the token is signed. */
export interface IdTokenParts {
  claims: Claims
  header: Claims
  sign: Signer
  /** Converts the signed token to what is sent, such as the `id_token` of the token response; `undefined` omits it. */
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

/** Who issues a token, and for whom. */
export interface TokenInput {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly key: SigningKey
  readonly unrelatedKey: SigningKey
}

/** The contents of an honest ID token. */
export interface IdTokenInput extends TokenInput {
  readonly user: Claims
  readonly accessToken: string
  readonly nonce: string | undefined
}

/** Creates the `id_token` of a token response (OpenID Connect Core 2), changed by the modifier if there is one. */
export async function createIdToken(
  input: IdTokenInput,
  modify?: IdTokenModifier,
): Promise<unknown> {
  const claims = {
    ...input.user,
    auth_time: Math.floor(Date.now() / 1000),
    ...(input.nonce !== undefined && { nonce: input.nonce }),
    at_hash: await computeAtHash(input.accessToken),
  }
  const parts = createTokenParts(input, claims, { typ: "JWT", lifetime: 3600 })
  return signToken(parts, modify)
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

/** Creates a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4), changed by the modifier if there is one. */
export async function createLogoutToken(
  input: TokenInput,
  session: Claims,
  modify?: IdTokenModifier,
): Promise<string> {
  const claims = { ...session, jti: randomUUID(), events: { [logoutEvent]: {} } }
  const parts = createTokenParts(input, claims, { typ: "logout+jwt", lifetime: 120 })
  return String(await signToken(parts, modify))
}

async function signToken(parts: IdTokenParts, modify?: IdTokenModifier): Promise<unknown> {
  await modify?.(parts)
  return parts.serialize(await createCompactJws(parts.header, parts.claims, parts.sign))
}

function createTokenParts(
  { issuer, clientId, clientSecret, key, unrelatedKey }: TokenInput,
  claims: Claims,
  { typ, lifetime }: { typ: string; lifetime: number },
): IdTokenParts {
  const now = Math.floor(Date.now() / 1000)
  return {
    claims: {
      iss: issuer,
      aud: clientId,
      ...claims,
      exp: now + lifetime,
      iat: now,
    },
    header: { alg: key.alg, typ, kid: key.kid },
    sign: createKeySigner(key.alg, key.privateKey),
    serialize: (signed) => signed,
    key,
    unrelatedKey: unrelatedKey,
    clientId,
    clientSecret,
    now,
  }
}
