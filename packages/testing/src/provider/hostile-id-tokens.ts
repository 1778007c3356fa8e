import { CompactEncrypt } from "jose"
import { unsigned, withKey, withText } from "./compact.ts"
import type { IdTokenScript } from "./id-token.ts"
import { asPs256, signingKey } from "./keys.ts"
import type { Claims } from "./types.ts"

/** ID tokens that a client has to refuse: security cases 71–76. */
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

/** Unusual ID tokens that a client has to accept: the other side of cases 71–75. */
export type OddIdToken =
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

const claim =
  (changes: (now: number, clientId: string) => Claims): IdTokenScript =>
  (parts) => {
    Object.assign(parts.claims, changes(parts.now, parts.clientId))
  }

const without =
  (name: string): IdTokenScript =>
  (parts) => {
    delete parts.claims[name]
  }

const header =
  (changes: Claims): IdTokenScript =>
  (parts) => {
    Object.assign(parts.header, changes)
  }

const answer =
  (finish: (signed: string) => unknown): IdTokenScript =>
  (parts) => {
    parts.finish = finish
  }

/** Signs with a key that nobody announced; the header says where it pretends to come from. */
const foreign =
  (pretence: (jwk: object) => Claims): IdTokenScript =>
  (parts) => {
    const { alg, privateKey, jwk } = parts.foreignKey
    parts.sign = withKey(alg, privateKey)
    Object.assign(parts.header, { alg }, pretence(jwk))
  }

/** Signs with HMAC under a text that is no secret of the provider. */
const hmac =
  (text: (parts: Parameters<IdTokenScript>[0]) => string): IdTokenScript =>
  (parts) => {
    parts.header.alg = "HS256"
    parts.sign = withText(text(parts))
  }

const broken = (signed: string): string => {
  const [head, body, signature = ""] = signed.split(".")
  return [head, body, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".")
}

const anRsaKey = () => signingKey("somebody else", "RS256")

async function encrypted(signed: string, secret: string): Promise<string> {
  const text = new TextEncoder()
  const key = new Uint8Array(await crypto.subtle.digest("SHA-256", text.encode(secret)))
  const header = { alg: "dir", enc: "A256GCM", cty: "JWT" }
  return new CompactEncrypt(text.encode(signed)).setProtectedHeader(header).encrypt(key)
}

/** The scripts of the hostile ID tokens, by name; the names can be looped over. */
export const hostileIdTokens: Readonly<Record<HostileIdToken, IdTokenScript>> = {
  "iss-other": claim(() => ({ iss: "https://other.example" })),
  "iss-missing": without("iss"),
  "iss-trailing-slash": ({ claims }) => {
    claims.iss = `${claims.iss}/`
  },

  "aud-other": claim(() => ({ aud: "another-client" })),
  "aud-missing": without("aud"),
  "aud-empty": claim(() => ({ aud: [] })),
  "aud-several-without-azp": claim((_, clientId) => ({ aud: [clientId, "another-client"] })),
  "aud-several-azp-other": claim((_, id) => ({
    aud: [id, "another-client"],
    azp: "another-client",
  })),
  "azp-other": claim(() => ({ azp: "another-client" })),

  "sub-missing": without("sub"),
  "sub-empty": claim(() => ({ sub: "" })),
  "sub-null": claim(() => ({ sub: null })),
  "sub-number": claim(() => ({ sub: 42 })),
  "sub-too-long": claim(() => ({ sub: "x".repeat(256) })),

  "exp-missing": without("exp"),
  "exp-past": claim((now) => ({ exp: now - 120, iat: now - 3720 })),
  "exp-text": claim((now) => ({ exp: String(now + 3600) })),
  "nbf-ahead": claim((now) => ({ nbf: now + 120 })),
  "nbf-text": claim((now) => ({ nbf: String(now - 10) })),
  "iat-missing": without("iat"),
  "iat-text": claim((now) => ({ iat: String(now) })),
  "iat-far-ahead": claim((now) => ({ iat: now + 1800 })),

  "nonce-other": claim(() => ({ nonce: "a-nonce-that-nobody-asked-for" })),
  "at-hash-other": claim(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),

  "alg-none": (parts) => {
    parts.header = { alg: "none" }
    parts.sign = unsigned
  },
  "alg-unlisted": async (parts) => {
    const { alg, privateKey } =
      parts.key.alg === "RS256" ? await asPs256(parts.key) : await anRsaKey()
    parts.header.alg = alg
    parts.sign = withKey(alg, privateKey)
  },
  "hmac-client-secret": hmac((parts) => parts.clientSecret),
  "hmac-public-pem": hmac((parts) => parts.key.pem),
  "hmac-public-jwk": hmac((parts) => JSON.stringify(parts.key.jwk)),

  "crit-unknown": header({ crit: ["urn:example:unheard-of"], "urn:example:unheard-of": true }),
  "typ-logout": header({ typ: "logout+jwt" }),
  "typ-access-token": header({ typ: "at+jwt" }),

  "key-foreign": foreign(() => ({})),
  "key-embedded": foreign((jwk) => ({ jwk })),
  "key-by-url": foreign(() => ({ jku: "https://evil.example/jwks" })),
  "certificate-by-url": foreign(() => ({ x5u: "https://evil.example/certificate" })),
  "kid-unknown": foreign(() => ({ kid: "a-key-that-was-never-announced" })),

  "signature-stripped": answer((signed) => `${signed.slice(0, signed.lastIndexOf("."))}.`),
  "signature-broken": answer(broken),

  absent: answer(() => undefined),
  empty: answer(() => ""),
  number: answer(() => 42),
  array: answer((signed) => [signed]),
  nested: answer((signed) => ({ id_token: signed })),
  encrypted: (parts) => {
    parts.finish = (signed) => encrypted(signed, parts.clientSecret)
  },
  garbage: answer(() => "this.is.not-a-token"),
}

/** The scripts of the odd but valid ID tokens, by name. */
export const oddIdTokens: Readonly<Record<OddIdToken, IdTokenScript>> = {
  "aud-array": claim((_, clientId) => ({ aud: [clientId] })),
  "aud-several-with-azp": claim((_, clientId) => ({
    aud: [clientId, "another-client"],
    azp: clientId,
  })),
  "azp-own": claim((_, clientId) => ({ azp: clientId })),
  "sub-longest": claim(() => ({ sub: "x".repeat(255) })),
  "exp-just-past": claim((now) => ({ exp: now - 20, iat: now - 3620 })),
  "nbf-just-ahead": claim((now) => ({ nbf: now + 20 })),
  "iat-just-ahead": claim((now) => ({ iat: now + 20 })),
  "at-hash-missing": without("at_hash"),
  "kid-missing": (parts) => void delete parts.header.kid,
  "typ-missing": (parts) => void delete parts.header.typ,
  "prototype-claims": (parts) => {
    const own = { value: { admin: true }, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(parts.claims, "__proto__", own)
    Object.defineProperty(parts.claims, "constructor", own)
  },
}
