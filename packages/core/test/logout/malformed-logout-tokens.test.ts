/** Logout tokens that are no proof, one mistake each (OpenID Connect Back-Channel Logout 1.0 section 2.6, RFC 8725). */
import type { IdTokenModifier } from "@latchkey/testing"
import { base64url, exportJWK } from "jose"
import { beforeAll, describe, expect, test } from "vitest"
import { createLogoutApp, type LogoutApp } from "../support/logout-app.ts"

const event = "http://schemas.openid.net/event/backchannel-logout"

/** Changes the claims of an honest token. */
const withClaims =
  (changes: Record<string, unknown>): IdTokenModifier =>
  ({ claims }) =>
    void Object.assign(claims, changes)

const without =
  (...names: string[]): IdTokenModifier =>
  ({ claims }) => {
    for (const name of names) delete claims[name]
  }

/** Changes the times of a token, in seconds from now. */
const withTimes =
  (iat: number, exp: number): IdTokenModifier =>
  ({ claims, now }) =>
    void Object.assign(claims, { iat: now + iat, exp: now + exp })

const withHeader =
  (changes: Record<string, unknown>): IdTokenModifier =>
  ({ header }) =>
    void Object.assign(header, changes)

const signWith = (key: CryptoKey) => async (input: string) =>
  new Uint8Array(await crypto.subtle.sign(key.algorithm, key, new TextEncoder().encode(input)))

const signHmac =
  (getKey: (parts: Parameters<IdTokenModifier>[0]) => string, alg = "HS256"): IdTokenModifier =>
  (parts) => {
    parts.header["alg"] = alg
    parts.sign = async (input) => {
      const encoder = new TextEncoder()
      const algorithm = { name: "HMAC", hash: "SHA-256" }
      const secret = encoder.encode(getKey(parts))
      const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"])
      return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(input)))
    }
  }

const serializedAs =
  (serialize: (token: string) => string): IdTokenModifier =>
  (parts) => {
    parts.serialize = serialize
  }

const replacePart = (index: number, text: string) => (token: string) =>
  token
    .split(".")
    .map((part, at) => (at === index ? text : part))
    .join(".")

/** Changes a signed token's claims. */
const forgeClaims = (changes: Record<string, unknown>) => (token: string) => {
  const payload = JSON.parse(new TextDecoder().decode(base64url.decode(token.split(".")[1] ?? "")))
  return replacePart(1, base64url.encode(JSON.stringify({ ...payload, ...changes })))(token)
}

const unsigned = (alg: string): IdTokenModifier => {
  return (parts) => {
    parts.header["alg"] = alg
    parts.sign = async () => new Uint8Array()
  }
}

const malformedTokens: Readonly<Record<string, IdTokenModifier>> = {
  // Signature
  "alg none": unsigned("none"),
  "alg None": unsigned("None"),
  "no alg": ({ header }) => void delete header["alg"],
  "an empty signature": unsigned("RS256"),
  "a key that the provider never had": (parts) => {
    parts.sign = signWith(parts.unrelatedKey.privateKey)
  },
  "an unknown key id": withHeader({ kid: "unknown" }),
  "a key in the header": async (parts) => {
    const { kid, publicKey, privateKey } = parts.unrelatedKey
    Object.assign(parts.header, { kid, jwk: await exportJWK(publicKey) })
    parts.sign = signWith(privateKey)
  },
  "a key set in the header": withHeader({ jku: "https://evil.example/jwks", kid: "evil" }),
  "HS256 with the client secret": signHmac(({ clientSecret }) => clientSecret),
  "HS256 with the public key": signHmac(({ key }) => key.pem),
  "an algorithm that was not announced": withHeader({ alg: "RS512" }),
  "an unknown critical header": withHeader({ crit: ["urn:a"], "urn:a": 1 }),
  "claims that were changed afterwards": serializedAs(forgeClaims({ sid: "another" })),
  "a subject that was changed afterwards": serializedAs(forgeClaims({ sub: "eve" })),
  // Form
  "no token": serializedAs(() => ""),
  "no JWT": serializedAs(() => "a logout token"),
  "two parts": serializedAs((token) => token.split(".").slice(0, 2).join(".")),
  "four parts": serializedAs((token) => `${token}.x`),
  "five parts, as if it were encrypted": serializedAs((token) => `${token}.x.y`),
  "claims that are no JSON": serializedAs(replacePart(1, base64url.encode("claims"))),
  "claims that are a list": serializedAs(replacePart(1, base64url.encode("[]"))),
  "a header that is no JSON": serializedAs(replacePart(0, base64url.encode("header"))),
  "too much text": withClaims({ padding: "x".repeat(20_000) }),
  // Type
  "the type of an access token": withHeader({ typ: "at+jwt" }),
  "the type of a request object": withHeader({ typ: "oauth-authz-req+jwt" }),
  "the type of a security event": withHeader({ typ: "secevent+jwt" }),
  "an empty type": withHeader({ typ: "" }),
  "a type that is no text": withHeader({ typ: ["logout+jwt"] }),
  // Issuer
  "no iss": without("iss"),
  "another iss": withClaims({ iss: "https://evil.example" }),
  "an iss with a slash at the end": withClaims({ iss: "https://idp.example/" }),
  "an iss in upper case": withClaims({ iss: "HTTPS://IDP.EXAMPLE" }),
  "a list as iss": withClaims({ iss: ["https://idp.example"] }),
  // Audience
  "no aud": without("aud"),
  "another aud": withClaims({ aud: "another client" }),
  "an empty list as aud": withClaims({ aud: [] }),
  "other clients as aud": withClaims({ aud: ["one client", "another client"] }),
  "an aud that contains the client id": withClaims({ aud: "latchkey-client-2" }),
  "an object as aud": withClaims({ aud: { "latchkey-client": true } }),
  // Times
  "no iat": without("iat"),
  "an iat in the future": withTimes(60, 120),
  "an iat too long ago": withTimes(-700, 120),
  "text as iat": withClaims({ iat: "now" }),
  "null as iat": withClaims({ iat: null }),
  "no exp": without("exp"),
  "an exp in the past": withTimes(-200, -60),
  "text as exp": withClaims({ exp: "9999999999" }),
  // Events
  "no events": without("events"),
  "empty events": withClaims({ events: {} }),
  "another event": withClaims({ events: { "http://schemas.openid.net/event/other": {} } }),
  "true as the event": withClaims({ events: { [event]: true } }),
  "null as the event": withClaims({ events: { [event]: null } }),
  "a list as the event": withClaims({ events: { [event]: [] } }),
  "a list as events": withClaims({ events: [event] }),
  "text as events": withClaims({ events: event }),
  // What an ID token has
  "a nonce": withClaims({ nonce: "n-0S6_WzA2Mj" }),
  "an empty nonce": withClaims({ nonce: "" }),
  "null as nonce": withClaims({ nonce: null }),
  // Session and subject
  "neither sid nor sub": without("sid", "sub"),
  "an empty sid": withClaims({ sid: "" }),
  "a number as sid": withClaims({ sid: 1 }),
  "a list as sid": withClaims({ sid: ["sid of Ada"] }),
  "null as sid": withClaims({ sid: null }),
  "a sid that is too long": withClaims({ sid: "x".repeat(256) }),
  "an empty sub": withClaims({ sub: "" }),
  "an object as sub": withClaims({ sub: { id: "ada" } }),
  "null as sub, with a sid": withClaims({ sub: null }),
  "a sub that is too long": withClaims({ sub: "x".repeat(256) }),
  // Name of the token
  "no jti": without("jti"),
  "an empty jti": withClaims({ jti: "" }),
  "a number as jti": withClaims({ jti: 7 }),
  "a jti that is too long": withClaims({ jti: "x".repeat(256) }),
}

describe("a logout token is refused, and ends no session:", () => {
  let app: LogoutApp
  beforeAll(async () => {
    app = await createLogoutApp()
    await app.signIn("sid of Ada")
  })

  test.each(Object.entries(malformedTokens))("%s", async (_, modify) => {
    const { provider } = app
    const token = await provider.createLogoutToken({ sid: "sid of Ada", sub: "ada" }, modify)
    const response = await app.sendLogoutToken(token)
    expect(response.status).toBe(400)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.json()).toEqual({
      error: "invalid_request",
      error_description: expect.stringMatching(/^Expected .*\.$/),
    })
    expect(await app.countSessions()).toBe(1)
    expect(app.readLog()).toContain("InvalidLogoutToken")
  })
})
