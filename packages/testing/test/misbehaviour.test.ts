import type { Claims, Comeback, HostileIdToken, ScriptedProvider } from "@latchkey/testing"
import {
  hostileDiscoveries,
  hostileIdTokens,
  hostileJwks,
  hostileResponses,
  hostileTokenAnswers,
  hostileUserinfos,
  oddDiscoveries,
  oddIdTokens,
  scriptedProvider,
} from "@latchkey/testing"
import type { JWK } from "jose"
import {
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  exportSPKI,
  importJWK,
  jwtVerify,
  UnsecuredJWT,
} from "jose"
import * as oauth from "oauth4webapi"
import { describe, expect, test } from "vitest"
import { authorizationUrl, discover, redirectUri, refresh, signIn, userinfo } from "./client.ts"

function names<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): Name[] {
  return Object.keys(table) as Name[]
}

const nonce = "n".repeat(43)

/** Gets tokens with a client that checks nothing. */
async function redeem(provider: ScriptedProvider): Promise<{ response: Response; body: Claims }> {
  const url = await authorizationUrl(provider, "v".repeat(43), { nonce })
  const response = await provider.fetch(provider.endpoints.token, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: provider.approve(url).parameters.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: "v".repeat(43),
    }),
  })
  return { response, body: (await response.json()) as Claims }
}

/** The header and claims of the ID token that the provider gives out now. */
async function idToken(provider: ScriptedProvider): Promise<Claims> {
  const { body } = await redeem(provider)
  const token = String(body.id_token)
  return { ...decodeProtectedHeader(token), ...decodeJwt(token) }
}

describe("an ID token", () => {
  // What the certified client lets pass: our library has to look at it by itself.
  const unseen: Partial<Record<HostileIdToken, Claims>> = {
    "azp-other": { aud: "latchkey-client", azp: "another-client" },
    "sub-empty": { sub: "" },
    "sub-too-long": { sub: "x".repeat(256) },
    "iat-far-ahead": { iat: expect.any(Number) },
    "at-hash-other": { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" },
    "typ-logout": { typ: "logout+jwt" },
    "typ-access-token": { typ: "at+jwt" },
  }

  test.each(names(hostileIdTokens).filter((name) => !(name in unseen)))(
    "is refused by a certified client: %s",
    async (fault) => {
      const provider = await scriptedProvider()
      provider.misbehave({ idToken: fault })
      await expect(signIn(provider, { nonce })).rejects.toThrow()
      provider.behave()
      expect((await signIn(provider, { nonce })).claims?.sub).toBe("ada")
    },
  )

  test.each(names(unseen))("is wrong, though a certified client takes it: %s", async (fault) => {
    const provider = await scriptedProvider()
    provider.misbehave({ idToken: fault })
    expect(await idToken(provider)).toMatchObject(unseen[fault] ?? {})
  })

  test("is from the future, and signed properly all the same", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ idToken: "iat-far-ahead" })
    const { claims } = await signIn(provider)
    expect(claims?.iat).toBeGreaterThan(Date.now() / 1000 + 1700)
  })

  test.each(names(oddIdTokens))("is accepted by a certified client: %s", async (fault) => {
    const provider = await scriptedProvider()
    provider.misbehave({ idToken: fault })
    await signIn(provider, { nonce })
  })

  test("is changed by a function over its parts", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({
      idToken: ({ claims, header }) => {
        claims.email = 42
        delete claims.nonce
        header.typ = "JWT"
      },
    })
    const seen = await idToken(provider)
    expect(seen).toMatchObject({ email: 42, typ: "JWT" })
    expect(seen).not.toHaveProperty("nonce")
  })

  test("would fool a client that believes the header", async () => {
    const provider = await scriptedProvider()
    const jwks = await (await provider.fetch(provider.endpoints.jwks)).json()
    const [jwk] = (jwks as { keys: JWK[] }).keys
    const pem = await exportSPKI((await importJWK(jwk ?? {})) as CryptoKey)
    const text = new TextEncoder()
    const forged = async (fault: HostileIdToken): Promise<string> => {
      provider.misbehave({ idToken: fault })
      return String((await redeem(provider)).body.id_token)
    }
    await jwtVerify(await forged("hmac-public-pem"), text.encode(pem))
    await jwtVerify(await forged("hmac-public-jwk"), text.encode(JSON.stringify(jwk)))
    await jwtVerify(await forged("hmac-client-secret"), text.encode(provider.clientSecret))
    await jwtVerify(await forged("key-embedded"), EmbeddedJWK)
    await jwtVerify(
      await forged("alg-unlisted"),
      await importJWK({ ...jwk, alg: "PS256" }, "PS256"),
    )
    expect(UnsecuredJWT.decode(await forged("alg-none")).payload.sub).toBe("ada")
    const stripped = (await forged("signature-stripped")).split(".")
    expect(stripped).toEqual([expect.any(String), expect.any(String), ""])
  })

  test.each(["ES256", "PS256"] as const)(
    "is signed with another algorithm than %s",
    async (alg) => {
      const provider = await scriptedProvider({ alg })
      provider.misbehave({ idToken: "alg-unlisted" })
      expect(await idToken(provider)).toMatchObject({ alg: "RS256" })
      await expect(signIn(provider)).rejects.toThrow("alg")
    },
  )

  test("comes with a renewal too, as wrong as the first", async () => {
    const provider = await scriptedProvider()
    const flow = await signIn(provider)
    provider.misbehave({ idToken: "iss-other" })
    await expect(refresh(provider, flow, flow.tokens.refresh_token ?? "")).rejects.toThrow("iss")
  })
})

describe("an authorization response", () => {
  test.each(names(hostileResponses).filter((name) => name !== "front-channel-access-token"))(
    "is refused by a certified client before it asks for tokens: %s",
    async (fault) => {
      const provider = await scriptedProvider()
      provider.misbehave({ response: fault })
      await expect(signIn(provider)).rejects.toThrow()
      expect(provider.tokenRequests).toEqual([])
    },
  )

  test("carries an access token through the browser", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ response: "front-channel-access-token" })
    const { parameters } = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
    expect(parameters.get("access_token")).toBe("an-access-token")
  })

  test("is changed by a function over its parameters", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ response: (parameters) => parameters.set("user", "{}") })
    const { url } = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
    expect(url.searchParams.get("user")).toBe("{}")
  })
})

describe("a JSON answer", () => {
  test.each(names(hostileTokenAnswers))("of the token endpoint is refused: %s", async (fault) => {
    const provider = await scriptedProvider()
    provider.misbehave({ token: fault })
    await expect(signIn(provider)).rejects.toThrow()
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test.each(names(hostileUserinfos))("of the userinfo endpoint is refused: %s", async (fault) => {
    const provider = await scriptedProvider()
    const flow = await signIn(provider)
    provider.misbehave({ userinfo: fault })
    await expect(userinfo(provider, flow)).rejects.toThrow()
    expect(provider.userinfoRequests).toHaveLength(1)
  })

  test.each(names(hostileJwks))("of the key endpoint is refused: %s", async (fault) => {
    const provider = await scriptedProvider()
    provider.misbehave({ jwks: fault })
    await expect(signIn(provider)).rejects.toThrow()
    expect(provider.jwksRequests).toHaveLength(1)
  })

  // Endpoints are used, not judged, by the client: these two it would only meet when it builds the URL itself.
  const unseen = ["authorization-endpoint-javascript", "authorization-endpoint-missing"]
  test.each(names(hostileDiscoveries).filter((name) => !unseen.includes(name)))(
    "of discovery is refused: %s",
    async (fault) => {
      const provider = await scriptedProvider()
      provider.misbehave({ discovery: fault })
      await expect(signIn(provider)).rejects.toThrow()
      expect(provider.tokenRequests).toEqual([])
    },
  )

  test("of discovery has no authorization endpoint, or a script for one", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ discovery: "authorization-endpoint-missing" })
    expect((await discover(provider)).authorization_endpoint).toBeUndefined()
    provider.misbehave({ discovery: "authorization-endpoint-javascript" })
    expect((await discover(provider)).authorization_endpoint).toMatch(/^javascript:/)
  })

  test.each(names(oddDiscoveries))("of discovery is coped with: %s", async (fault) => {
    const provider = await scriptedProvider()
    provider.misbehave({ discovery: fault })
    const tamper = ({ parameters }: Comeback) => parameters.delete("iss")
    await signIn(provider, fault === "minimal" ? { tamper } : {})
  })

  test("is changed by a function, and stays an honest refusal where it was one", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ token: (honest) => ({ ...honest, session_state: "s" }) })
    expect((await signIn(provider)).tokens).toMatchObject({ session_state: "s" })
    const wrong = signIn(provider, { clientAuth: oauth.None() })
    await expect(wrong).rejects.toThrow(oauth.WWWAuthenticateChallengeError)
  })

  test("has any expires_in, token_type and challenge", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ expiresIn: "60", tokenType: "BEARER", wwwAuthenticate: "Bearer" })
    const { response, body } = await redeem(provider)
    expect(body).toMatchObject({ expires_in: "60", token_type: "BEARER" })
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
    provider.misbehave({ expiresIn: undefined, tokenType: undefined })
    const without = await redeem(provider)
    expect(without.body).not.toHaveProperty("expires_in")
    expect(without.body).not.toHaveProperty("token_type")
  })
})

test("PKCE is ignored when told so", async () => {
  const provider = await scriptedProvider()
  const stolen = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
  const inject = ({ parameters }: Comeback) =>
    parameters.set("code", stolen.parameters.get("code") ?? "")
  await expect(signIn(provider, { tamper: inject })).rejects.toThrow(oauth.ResponseBodyError)
  provider.misbehave({ ignorePkce: true })
  const again = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
  const tamper = ({ parameters }: Comeback) =>
    parameters.set("code", again.parameters.get("code") ?? "")
  expect((await signIn(provider, { tamper })).claims?.sub).toBe("ada")
  await expect(signIn(provider, { tamper, nonce })).rejects.toThrow()
})
