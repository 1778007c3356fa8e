import type {
  AuthorizationResponse,
  Claims,
  HostileIdToken,
  ScriptedProvider,
} from "@latchkey/testing"
import {
  createScriptedProvider,
  hostileAuthorizationResponses,
  hostileDiscoveryDocuments,
  hostileIdTokens,
  hostileJwks,
  hostileTokenResponses,
  hostileUserinfoResponses,
  unusualDiscoveryDocuments,
  unusualIdTokens,
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
import {
  authorizationUrl,
  discover,
  redirectUri,
  refresh,
  signIn,
  userinfo,
} from "./oauth-client.ts"

function listNames<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): Name[] {
  return Object.keys(table) as Name[]
}

const nonce = "n".repeat(43)

/** Requests tokens with a client that verifies nothing. */
async function redeemCode(
  provider: ScriptedProvider,
): Promise<{ response: Response; body: Claims }> {
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

/** Returns the header and claims of the provider's current ID token. */
async function fetchIdToken(provider: ScriptedProvider): Promise<Claims> {
  const { body } = await redeemCode(provider)
  const token = String(body.id_token)
  return { ...decodeProtectedHeader(token), ...decodeJwt(token) }
}

describe("an ID token", () => {
  // A certified client accepts these, so the library must check them itself.
  const acceptedByClient: Partial<Record<HostileIdToken, Claims>> = {
    "azp-other": { aud: "latchkey-client", azp: "another-client" },
    "sub-empty": { sub: "" },
    "sub-too-long": { sub: "x".repeat(256) },
    "iat-far-ahead": { iat: expect.any(Number) },
    "at-hash-other": { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" },
    "typ-logout": { typ: "logout+jwt" },
    "typ-access-token": { typ: "at+jwt" },
  }

  test.each(listNames(hostileIdTokens).filter((name) => !(name in acceptedByClient)))(
    "is refused by a certified client: %s",
    async (fault) => {
      const provider = await createScriptedProvider()
      provider.injectFaults({ idToken: fault })
      await expect(signIn(provider, { nonce })).rejects.toThrow()
      provider.clearFaults()
      expect((await signIn(provider, { nonce })).claims?.sub).toBe("ada")
    },
  )

  test.each(listNames(acceptedByClient))(
    "is invalid, although a certified client accepts it: %s",
    async (fault) => {
      const provider = await createScriptedProvider()
      provider.injectFaults({ idToken: fault })
      expect(await fetchIdToken(provider)).toMatchObject(acceptedByClient[fault] ?? {})
    },
  )

  test("is from the future, but correctly signed", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ idToken: "iat-far-ahead" })
    const { claims } = await signIn(provider)
    expect(claims?.iat).toBeGreaterThan(Date.now() / 1000 + 1700)
  })

  test.each(listNames(unusualIdTokens))("is accepted by a certified client: %s", async (fault) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ idToken: fault })
    await signIn(provider, { nonce })
  })

  test("is changed by a function over its parts", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      idToken: ({ claims, header }) => {
        claims.email = 42
        delete claims.nonce
        header.typ = "JWT"
      },
    })
    const token = await fetchIdToken(provider)
    expect(token).toMatchObject({ email: 42, typ: "JWT" })
    expect(token).not.toHaveProperty("nonce")
  })

  test("would be accepted by a client that trusts the header", async () => {
    const provider = await createScriptedProvider()
    const jwks = await (await provider.fetch(provider.endpoints.jwks)).json()
    const [jwk] = (jwks as { keys: JWK[] }).keys
    const pem = await exportSPKI((await importJWK(jwk ?? {})) as CryptoKey)
    const text = new TextEncoder()
    const fetchForgedToken = async (fault: HostileIdToken): Promise<string> => {
      provider.injectFaults({ idToken: fault })
      return String((await redeemCode(provider)).body.id_token)
    }
    await jwtVerify(await fetchForgedToken("hmac-public-pem"), text.encode(pem))
    await jwtVerify(await fetchForgedToken("hmac-public-jwk"), text.encode(JSON.stringify(jwk)))
    await jwtVerify(
      await fetchForgedToken("hmac-client-secret"),
      text.encode(provider.clientSecret),
    )
    await jwtVerify(await fetchForgedToken("key-embedded"), EmbeddedJWK)
    await jwtVerify(
      await fetchForgedToken("alg-unlisted"),
      await importJWK({ ...jwk, alg: "PS256" }, "PS256"),
    )
    expect(UnsecuredJWT.decode(await fetchForgedToken("alg-none")).payload.sub).toBe("ada")
    const stripped = (await fetchForgedToken("signature-stripped")).split(".")
    expect(stripped).toEqual([expect.any(String), expect.any(String), ""])
  })

  test.each(["ES256", "PS256"] as const)(
    "is signed with another algorithm than %s",
    async (alg) => {
      const provider = await createScriptedProvider({ alg })
      provider.injectFaults({ idToken: "alg-unlisted" })
      expect(await fetchIdToken(provider)).toMatchObject({ alg: "RS256" })
      await expect(signIn(provider)).rejects.toThrow("alg")
    },
  )

  test("has the same fault when it is refreshed", async () => {
    const provider = await createScriptedProvider()
    const flow = await signIn(provider)
    provider.injectFaults({ idToken: "iss-other" })
    await expect(refresh(provider, flow, flow.tokens.refresh_token ?? "")).rejects.toThrow("iss")
  })
})

describe("an authorization response", () => {
  test.each(
    listNames(hostileAuthorizationResponses).filter(
      (name) => name !== "front-channel-access-token",
    ),
  )("is refused by a certified client before it asks for tokens: %s", async (fault) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ response: fault })
    await expect(signIn(provider)).rejects.toThrow()
    expect(provider.tokenRequests).toEqual([])
  })

  test("contains an access token", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ response: "front-channel-access-token" })
    const { parameters } = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
    expect(parameters.get("access_token")).toBe("an-access-token")
  })

  test("is changed by a function over its parameters", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ response: (parameters) => parameters.set("user", "{}") })
    const { url } = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
    expect(url.searchParams.get("user")).toBe("{}")
  })
})

describe("a JSON response", () => {
  test.each(listNames(hostileTokenResponses))(
    "of the token endpoint is refused: %s",
    async (fault) => {
      const provider = await createScriptedProvider()
      provider.injectFaults({ token: fault })
      await expect(signIn(provider)).rejects.toThrow()
      expect(provider.tokenRequests).toHaveLength(1)
    },
  )

  test.each(listNames(hostileUserinfoResponses))(
    "of the userinfo endpoint is refused: %s",
    async (fault) => {
      const provider = await createScriptedProvider()
      const flow = await signIn(provider)
      provider.injectFaults({ userinfo: fault })
      await expect(userinfo(provider, flow)).rejects.toThrow()
      expect(provider.userinfoRequests).toHaveLength(1)
    },
  )

  test.each(listNames(hostileJwks))("of the key endpoint is refused: %s", async (fault) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ jwks: fault })
    await expect(signIn(provider)).rejects.toThrow()
    expect(provider.jwksRequests).toHaveLength(1)
  })

  // The client uses endpoints without validating them; it would notice these two only when it builds a URL.
  const notFetched = ["authorization-endpoint-javascript", "authorization-endpoint-missing"]
  test.each(listNames(hostileDiscoveryDocuments).filter((name) => !notFetched.includes(name)))(
    "of discovery is refused: %s",
    async (fault) => {
      const provider = await createScriptedProvider()
      provider.injectFaults({ discovery: fault })
      await expect(signIn(provider)).rejects.toThrow()
      expect(provider.tokenRequests).toEqual([])
    },
  )

  test("of discovery has no authorization endpoint, or a `javascript:` URL", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ discovery: "authorization-endpoint-missing" })
    expect((await discover(provider)).authorization_endpoint).toBeUndefined()
    provider.injectFaults({ discovery: "authorization-endpoint-javascript" })
    expect((await discover(provider)).authorization_endpoint).toMatch(/^javascript:/)
  })

  test.each(listNames(unusualDiscoveryDocuments))("of discovery is accepted: %s", async (fault) => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ discovery: fault })
    const tamper = ({ parameters }: AuthorizationResponse) => parameters.delete("iss")
    await signIn(provider, fault === "minimal" ? { tamper } : {})
  })

  test("is changed by a function, unless it is an error response", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ token: (honest) => ({ ...honest, session_state: "s" }) })
    expect((await signIn(provider)).tokens).toMatchObject({ session_state: "s" })
    const wrong = signIn(provider, { clientAuth: oauth.None() })
    await expect(wrong).rejects.toThrow(oauth.WWWAuthenticateChallengeError)
  })

  test("has the configured expires_in, token_type and challenge", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ expiresIn: "60", tokenType: "BEARER", wwwAuthenticate: "Bearer" })
    const { response, body } = await redeemCode(provider)
    expect(body).toMatchObject({ expires_in: "60", token_type: "BEARER" })
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
    provider.injectFaults({ expiresIn: undefined, tokenType: undefined })
    const without = await redeemCode(provider)
    expect(without.body).not.toHaveProperty("expires_in")
    expect(without.body).not.toHaveProperty("token_type")
  })
})

test("PKCE is ignored with `ignorePkce`", async () => {
  const provider = await createScriptedProvider()
  const stolenResponse = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
  const injectStolenCode = ({ parameters }: AuthorizationResponse) =>
    parameters.set("code", stolenResponse.parameters.get("code") ?? "")
  await expect(signIn(provider, { tamper: injectStolenCode })).rejects.toThrow(
    oauth.ResponseBodyError,
  )
  provider.injectFaults({ ignorePkce: true })
  const secondResponse = provider.approve(await authorizationUrl(provider, "v".repeat(43)))
  const tamper = ({ parameters }: AuthorizationResponse) =>
    parameters.set("code", secondResponse.parameters.get("code") ?? "")
  expect((await signIn(provider, { tamper })).claims?.sub).toBe("ada")
  await expect(signIn(provider, { tamper, nonce })).rejects.toThrow()
})
