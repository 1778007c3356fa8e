import { CompactEncrypt } from "jose"
import type { IdTokenModifier } from "./id-token.ts"
import { createHmacSigner, createKeySigner, emptySigner } from "./jws.ts"
import { getSigningKey, toPs256Key } from "./signing-keys.ts"
import type { Claims } from "./types.ts"

/** ID tokens that a client must refuse. */
export type HostileIdToken =
  | "iss-other"
  | "iss-missing"
  | "iss-trailing-slash"
  | "aud-other"
  | "aud-missing"
  | "aud-empty"
  | "aud-several-without-azp"
  | "aud-several-azp-other"
  | "azp-other"
  | "sub-missing"
  | "sub-empty"
  | "sub-null"
  | "sub-number"
  | "sub-too-long"
  | "exp-missing"
  | "exp-past"
  | "exp-text"
  | "nbf-ahead"
  | "nbf-text"
  | "iat-missing"
  | "iat-text"
  | "iat-far-ahead"
  | "nonce-other"
  | "at-hash-other"
  | "alg-none"
  | "alg-unlisted"
  | "hmac-client-secret"
  | "hmac-public-pem"
  | "hmac-public-jwk"
  | "crit-unknown"
  | "typ-logout"
  | "typ-access-token"
  | "key-foreign"
  | "key-embedded"
  | "key-by-url"
  | "certificate-by-url"
  | "kid-unknown"
  | "signature-stripped"
  | "signature-broken"
  | "absent"
  | "empty"
  | "number"
  | "array"
  | "nested"
  | "encrypted"
  | "garbage"

/** Unusual ID tokens that a client must accept. */
export type UnusualIdToken =
  | "aud-array"
  | "aud-several-with-azp"
  | "azp-own"
  | "sub-longest"
  | "exp-just-past"
  | "nbf-just-ahead"
  | "iat-just-ahead"
  | "at-hash-missing"
  | "kid-missing"
  | "typ-missing"
  | "prototype-claims"

const withClaims =
  (changes: (now: number, clientId: string) => Claims): IdTokenModifier =>
  (parts) => {
    Object.assign(parts.claims, changes(parts.now, parts.clientId))
  }

const withoutClaim =
  (name: string): IdTokenModifier =>
  (parts) => {
    delete parts.claims[name]
  }

const withHeader =
  (changes: Claims): IdTokenModifier =>
  (parts) => {
    Object.assign(parts.header, changes)
  }

const withSerialization =
  (serialize: (signed: string) => unknown): IdTokenModifier =>
  (parts) => {
    parts.serialize = serialize
  }

/** Signs with an unpublished key. The header claims another origin. */
const signWithUnrelatedKey =
  (createHeader: (jwk: object) => Claims): IdTokenModifier =>
  (parts) => {
    const { alg, privateKey, jwk } = parts.unrelatedKey
    parts.sign = createKeySigner(alg, privateKey)
    Object.assign(parts.header, { alg }, createHeader(jwk))
  }

/** Signs with HMAC and a text that is not a secret of the provider. */
const signWithHmac =
  (getSecret: (parts: Parameters<IdTokenModifier>[0]) => string): IdTokenModifier =>
  (parts) => {
    parts.header.alg = "HS256"
    parts.sign = createHmacSigner(getSecret(parts))
  }

const corruptSignature = (signed: string): string => {
  const [header, body, signature = ""] = signed.split(".")
  return [header, body, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".")
}

const getUnrelatedRsaKey = () => getSigningKey("somebody else", "RS256")

async function encryptToken(signed: string, secret: string): Promise<string> {
  const encoder = new TextEncoder()
  const key = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(secret)))
  const header = { alg: "dir", enc: "A256GCM", cty: "JWT" }
  return new CompactEncrypt(encoder.encode(signed)).setProtectedHeader(header).encrypt(key)
}

/** Modifiers for the hostile ID tokens, by name. */
export const hostileIdTokens: Readonly<Record<HostileIdToken, IdTokenModifier>> = {
  "iss-other": withClaims(() => ({ iss: "https://other.example" })),
  "iss-missing": withoutClaim("iss"),
  "iss-trailing-slash": ({ claims }) => {
    claims.iss = `${claims.iss}/`
  },

  "aud-other": withClaims(() => ({ aud: "another-client" })),
  "aud-missing": withoutClaim("aud"),
  "aud-empty": withClaims(() => ({ aud: [] })),
  "aud-several-without-azp": withClaims((_, clientId) => ({ aud: [clientId, "another-client"] })),
  "aud-several-azp-other": withClaims((_, id) => ({
    aud: [id, "another-client"],
    azp: "another-client",
  })),
  "azp-other": withClaims(() => ({ azp: "another-client" })),

  "sub-missing": withoutClaim("sub"),
  "sub-empty": withClaims(() => ({ sub: "" })),
  "sub-null": withClaims(() => ({ sub: null })),
  "sub-number": withClaims(() => ({ sub: 42 })),
  "sub-too-long": withClaims(() => ({ sub: "x".repeat(256) })),

  "exp-missing": withoutClaim("exp"),
  "exp-past": withClaims((now) => ({ exp: now - 120, iat: now - 3720 })),
  "exp-text": withClaims((now) => ({ exp: String(now + 3600) })),
  "nbf-ahead": withClaims((now) => ({ nbf: now + 120 })),
  "nbf-text": withClaims((now) => ({ nbf: String(now - 10) })),
  "iat-missing": withoutClaim("iat"),
  "iat-text": withClaims((now) => ({ iat: String(now) })),
  "iat-far-ahead": withClaims((now) => ({ iat: now + 1800 })),

  "nonce-other": withClaims(() => ({ nonce: "a-nonce-that-nobody-asked-for" })),
  "at-hash-other": withClaims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),

  "alg-none": (parts) => {
    parts.header = { alg: "none" }
    parts.sign = emptySigner
  },
  "alg-unlisted": async (parts) => {
    const { alg, privateKey } =
      parts.key.alg === "RS256" ? await toPs256Key(parts.key) : await getUnrelatedRsaKey()
    parts.header.alg = alg
    parts.sign = createKeySigner(alg, privateKey)
  },
  "hmac-client-secret": signWithHmac((parts) => parts.clientSecret),
  "hmac-public-pem": signWithHmac((parts) => parts.key.pem),
  "hmac-public-jwk": signWithHmac((parts) => JSON.stringify(parts.key.jwk)),

  "crit-unknown": withHeader({ crit: ["urn:example:unheard-of"], "urn:example:unheard-of": true }),
  "typ-logout": withHeader({ typ: "logout+jwt" }),
  "typ-access-token": withHeader({ typ: "at+jwt" }),

  "key-foreign": signWithUnrelatedKey(() => ({})),
  "key-embedded": signWithUnrelatedKey((jwk) => ({ jwk })),
  "key-by-url": signWithUnrelatedKey(() => ({ jku: "https://evil.example/jwks" })),
  "certificate-by-url": signWithUnrelatedKey(() => ({ x5u: "https://evil.example/certificate" })),
  "kid-unknown": signWithUnrelatedKey(() => ({ kid: "a-key-that-was-never-announced" })),

  "signature-stripped": withSerialization(
    (signed) => `${signed.slice(0, signed.lastIndexOf("."))}.`,
  ),
  "signature-broken": withSerialization(corruptSignature),

  absent: withSerialization(() => undefined),
  empty: withSerialization(() => ""),
  number: withSerialization(() => 42),
  array: withSerialization((signed) => [signed]),
  nested: withSerialization((signed) => ({ id_token: signed })),
  encrypted: (parts) => {
    parts.serialize = (signed) => encryptToken(signed, parts.clientSecret)
  },
  garbage: withSerialization(() => "this.is.not-a-token"),
}

/** Modifiers for the unusual ID tokens, by name. */
export const unusualIdTokens: Readonly<Record<UnusualIdToken, IdTokenModifier>> = {
  "aud-array": withClaims((_, clientId) => ({ aud: [clientId] })),
  "aud-several-with-azp": withClaims((_, clientId) => ({
    aud: [clientId, "another-client"],
    azp: clientId,
  })),
  "azp-own": withClaims((_, clientId) => ({ azp: clientId })),
  "sub-longest": withClaims(() => ({ sub: "x".repeat(255) })),
  "exp-just-past": withClaims((now) => ({ exp: now - 20, iat: now - 3620 })),
  "nbf-just-ahead": withClaims((now) => ({ nbf: now + 20 })),
  "iat-just-ahead": withClaims((now) => ({ iat: now + 20 })),
  "at-hash-missing": withoutClaim("at_hash"),
  "kid-missing": (parts) => void delete parts.header.kid,
  "typ-missing": (parts) => void delete parts.header.typ,
  "prototype-claims": (parts) => {
    const descriptor = {
      value: { admin: true },
      enumerable: true,
      configurable: true,
      writable: true,
    }
    Object.defineProperty(parts.claims, "__proto__", descriptor)
    Object.defineProperty(parts.claims, "constructor", descriptor)
  },
}
