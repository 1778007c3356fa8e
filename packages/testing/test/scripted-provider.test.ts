import type { ScriptedProvider } from "@latchkey/testing"
import { createScriptedProvider, ProviderError } from "@latchkey/testing"
import * as oauth from "oauth4webapi"
import { afterEach, describe, expect, test } from "vitest"
import { authorizationUrl, redirectUri, refresh, signIn, userinfo } from "./oauth-client.ts"

const openProviders: ScriptedProvider[] = []
afterEach(async () => {
  for (const provider of openProviders.splice(0)) await provider.close()
})

describe("a provider without faults", () => {
  test.each(["RS256", "ES256", "PS256"] as const)(
    "signs in a certified client with %s",
    async (alg) => {
      const provider = await createScriptedProvider({ alg })
      const flow = await signIn(provider, { nonce: "n".repeat(43) })

      expect(flow.claims).toMatchObject({
        iss: "https://idp.example",
        aud: "latchkey-client",
        sub: "ada",
        email: "ada@example.com",
        nonce: "n".repeat(43),
      })
      expect(await userinfo(provider, flow)).toMatchObject({ sub: "ada", name: "Ada Lovelace" })
      expect(provider.discoveryRequests).toHaveLength(1)
      expect(provider.tokenRequests).toHaveLength(1)
      expect(provider.jwksRequests).toHaveLength(1)
      expect(provider.userinfoRequests).toHaveLength(1)
    },
  )

  test("does the same on a port", async () => {
    const provider = await createScriptedProvider()
    openProviders.push(provider)
    await provider.listen()
    expect(provider.issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)

    const response = await fetch(provider.endpoints.discovery)
    expect(await response.json()).toMatchObject({ issuer: provider.issuer })
    const jwks = await fetch(provider.endpoints.jwks)
    expect(await jwks.json()).toMatchObject({ keys: [{ alg: "RS256", use: "sig" }] })
    const url = await authorizationUrl(provider, "v".repeat(43))
    const redirect = await fetch(url, { redirect: "manual" })
    expect(redirect.status).toBe(302)
    const code = new URL(redirect.headers.get("location") ?? "").searchParams.get("code") ?? ""
    const token = await fetch(provider.endpoints.token, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: "v".repeat(43),
      }),
    })
    expect(await token.json()).toMatchObject({ token_type: "Bearer", id_token: expect.any(String) })
  })

  test("keeps several providers apart", async () => {
    const one = await createScriptedProvider({ issuer: "https://one.example/tenant/a" })
    const two = await createScriptedProvider({ issuer: "https://two.example" })
    two.setUser({ sub: "grace", email: "grace@example.com" })

    expect((await signIn(one)).claims).toMatchObject({
      iss: "https://one.example/tenant/a",
      sub: "ada",
    })
    expect((await signIn(two)).claims).toMatchObject({ iss: "https://two.example", sub: "grace" })
    await expect(one.fetch("https://two.example/token")).rejects.toThrow("fetch failed")
    expect(one.requests.at(-1)).toMatchObject({ endpoint: "elsewhere" })
  })

  test("responds with a form for form_post", async () => {
    const provider = await createScriptedProvider()
    const url = await authorizationUrl(provider, "v".repeat(43))
    url.searchParams.set("response_mode", "form_post")
    const response = provider.approve(url)

    expect(response.url.href).toBe(redirectUri)
    expect(Object.fromEntries(response.form ?? [])).toEqual({
      code: expect.any(String),
      state: "the-state",
      iss: "https://idp.example",
    })
  })

  test("serves a form that a browser submits automatically", async () => {
    const provider = await createScriptedProvider()
    const url = await authorizationUrl(provider, "v".repeat(43))
    url.searchParams.set("response_mode", "form_post")
    url.searchParams.set("state", '"><script>')
    const page = await (await provider.fetch(url)).text()
    expect(page).toContain(`<form method="post" action="${redirectUri}">`)
    expect(page).toContain('name="state" value="&#34;&#62;&#60;script&#62;"')
  })

  test("denies with state and iss", async () => {
    const provider = await createScriptedProvider()
    const url = await authorizationUrl(provider, "v".repeat(43))
    const { parameters } = provider.deny(url, { error: "access_denied", error_description: "No." })
    expect(Object.fromEntries(parameters)).toEqual({
      error: "access_denied",
      error_description: "No.",
      state: "the-state",
      iss: "https://idp.example",
    })
  })

  test.each([
    ["response_type", "token"],
    ["client_id", "somebody"],
    ["redirect_uri", "/relative"],
    ["code_challenge_method", "plain"],
    ["code_challenge", "short"],
    ["response_mode", "fragment"],
    ["request_uri", "https://evil.example"],
  ])("refuses an authorization request with the wrong %s", async (name, value) => {
    const provider = await createScriptedProvider()
    const url = await authorizationUrl(provider, "v".repeat(43))
    url.searchParams.set(name, value)
    expect(() => provider.approve(url)).toThrow(ProviderError)
  })

  test("refuses unregistered redirect URIs, duplicated parameters and other endpoints", async () => {
    const provider = await createScriptedProvider({ redirectUris: ["https://app.example/other"] })
    const url = await authorizationUrl(provider, "v".repeat(43))
    expect(() => provider.approve(url)).toThrow("not registered")
    url.searchParams.set("redirect_uri", "https://app.example/other")
    expect(provider.approve(url).url.pathname).toBe("/other")
    url.searchParams.append("state", "again")
    expect(() => provider.approve(url)).toThrow("more than once")
    expect(() => provider.approve("https://idp.example/login")).toThrow(
      "not the authorization endpoint",
    )
  })

  test("responds with 401 and 405 as the standards require", async () => {
    const provider = await createScriptedProvider()
    const anonymous = await provider.fetch(provider.endpoints.userinfo)
    expect(anonymous.status).toBe(401)
    expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer/)
    const getResponse = await provider.fetch(provider.endpoints.token)
    expect(getResponse.status).toBe(405)
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
    const jsonResponse = await provider.fetch(provider.endpoints.token, json)
    expect(await jsonResponse.text()).toContain("the content type is application/json")
    expect((await provider.fetch(`${provider.issuer}/nothing`)).status).toBe(404)
  })

  test("clears everything except its keys", async () => {
    const provider = await createScriptedProvider()
    provider.setUser({ sub: "grace" })
    await signIn(provider)
    provider.clearRequests()
    expect([...provider.requests, ...provider.authorizationRequests]).toEqual([])
    expect((await signIn(provider)).claims?.sub).toBe("grace")
    provider.setUser()
    expect((await signIn(provider)).claims?.sub).toBe("ada")
    const other = { user: { sub: "mary" } }
    const response = provider.approve(await authorizationUrl(provider, "v".repeat(43)), other)
    expect(String(response)).toBe(response.url.href)
    expect(response.parameters).toBe(response.url.searchParams)
  })

  test("accepts a code only once", async () => {
    const provider = await createScriptedProvider()
    await signIn(provider)
    const [first] = provider.tokenRequests
    const again = await provider.fetch(provider.endpoints.token, {
      method: "POST",
      headers: { authorization: first?.headers.get("authorization") ?? "" },
      body: first?.body ?? null,
    })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ error: "invalid_grant" })
  })

  test.each([
    ["code_verifier", "w".repeat(43), "code_verifier"],
    ["code_verifier", undefined, "code_verifier"],
    ["redirect_uri", "https://app.example/elsewhere", "redirect_uri"],
    ["code", "code-of-nobody", "code"],
    ["grant_type", "password", "unsupported_grant_type"],
  ])("refuses a token request with %s %s", async (name, value, message) => {
    const provider = await createScriptedProvider()
    const url = await authorizationUrl(provider, "v".repeat(43))
    const fields = new URLSearchParams({
      grant_type: "authorization_code",
      code: provider.approve(url).parameters.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: "v".repeat(43),
    })
    if (value === undefined) fields.delete(name)
    else fields.set(name, value)
    const response = await provider.fetch(provider.endpoints.token, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}` },
      body: fields,
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
  })

  test("refreshes tokens, and rotates refresh tokens if configured", async () => {
    const kept = await createScriptedProvider()
    const first = await signIn(kept)
    const token = first.tokens.refresh_token ?? ""
    expect((await refresh(kept, first, token)).refresh_token).toBeUndefined()
    expect((await refresh(kept, first, token)).access_token).toBeTypeOf("string")

    const rotated = await createScriptedProvider({ refreshTokens: "rotated" })
    const second = await signIn(rotated)
    const old = second.tokens.refresh_token ?? ""
    expect((await refresh(rotated, second, old)).refresh_token).toBeTypeOf("string")
    await expect(refresh(rotated, second, old)).rejects.toThrow(oauth.ResponseBodyError)

    const none = await createScriptedProvider({ refreshTokens: "none" })
    expect((await signIn(none)).tokens.refresh_token).toBeUndefined()
  })

  test("signs with a new key after a rotation", async () => {
    const provider = await createScriptedProvider()
    const fetchKeyIds = async () => {
      const response = await provider.fetch(provider.endpoints.jwks)
      const { keys } = (await response.json()) as { keys: { kid: string }[] }
      return keys.map((key) => key.kid)
    }
    const before = await fetchKeyIds()
    await provider.rotateKeys({ keepOld: true })
    expect(await fetchKeyIds()).toEqual([expect.any(String), ...before])
    await provider.rotateKeys()
    expect(await fetchKeyIds()).not.toEqual(expect.arrayContaining(before))
    expect((await signIn(provider)).claims?.sub).toBe("ada")
  })

  test("records every secret that it issued", async () => {
    const provider = await createScriptedProvider()
    const { tokens } = await signIn(provider)
    const code = provider.tokenRequests[0]?.body.get("code")
    const { access_token, refresh_token, id_token } = tokens
    const issuedSecrets = [provider.clientSecret, code, access_token, refresh_token, id_token]
    expect(provider.secrets).toEqual(expect.arrayContaining(issuedSecrets))
  })
})

describe("client authentication", () => {
  const unusualSecret = "a secret: with + / % & = ü"
  const methods: [string, (provider: ScriptedProvider) => oauth.ClientAuth][] = [
    ["client_secret_basic", () => oauth.ClientSecretBasic(unusualSecret)],
    ["client_secret_post", () => oauth.ClientSecretPost(unusualSecret)],
    ["client_secret_jwt", () => oauth.ClientSecretJwt(unusualSecret)],
    ["private_key_jwt", ({ clientPrivateKey }) => oauth.PrivateKeyJwt(clientPrivateKey)],
    ["none", () => oauth.None()],
  ]

  test.each(methods)("accepts and records %s", async (name, clientAuth) => {
    const provider = await createScriptedProvider({
      clientSecret: unusualSecret,
      ...(name === "none" && { authMethods: ["none"] }),
    })
    await signIn(provider, { clientAuth: clientAuth(provider) })
    expect(provider.tokenRequests).toMatchObject([{ clientAuth: name }])
  })

  test.each([
    ["client_secret_basic", oauth.ClientSecretBasic("wrong")],
    ["client_secret_post", oauth.ClientSecretPost("wrong")],
    ["client_secret_jwt", oauth.ClientSecretJwt("wrong")],
    ["none", oauth.None()],
  ])("refuses a wrong %s", async (name, clientAuth) => {
    const provider = await createScriptedProvider()
    await expect(signIn(provider, { clientAuth })).rejects.toThrow()
    expect(provider.tokenRequests).toMatchObject([{ clientAuth: name }])
    expect(provider.userinfoRequests).toEqual([])
  })
})

describe("a token request with", () => {
  const sendTokenRequest = async (
    headers: Record<string, string>,
    fields: Record<string, string>,
  ) => {
    const provider = await createScriptedProvider()
    const body = new URLSearchParams({ grant_type: "authorization_code", ...fields })
    const init = { method: "POST", headers, body }
    return (await provider.fetch(provider.endpoints.token, init)).text()
  }
  const createBasicAuth = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
  const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  test.each([
    [
      "two authentication methods",
      createBasicAuth("a:b"),
      { client_secret: "b" },
      "several methods",
    ],
    ["no proof", {}, {}, "no client authentication"],
    ["another scheme", { authorization: "Bearer x" }, {}, "not Basic"],
    ["a third part", createBasicAuth("a:b:c"), {}, "not form-encoded"],
    ["broken encoding", createBasicAuth("%:b"), {}, "not form-encoded"],
    ["another client", createBasicAuth("somebody:b"), {}, "client id is unknown"],
    ["a secret without a name", {}, { client_secret: "b" }, "client_id is missing"],
    ["another name", {}, { client_id: "x", client_secret: "b" }, "client_id is unknown"],
    ["an assertion of no type", {}, { client_assertion: "a.b.c" }, "client_assertion_type"],
    [
      "an invalid assertion",
      {},
      { client_assertion: "a.b.c", client_assertion_type: type },
      "client assertion:",
    ],
  ])("%s is refused", async (_, headers, fields, message) => {
    expect(await sendTokenRequest(headers, fields)).toContain(message)
  })

  test("an assertion that was used before is refused", async () => {
    const provider = await createScriptedProvider()
    await signIn(provider, { clientAuth: oauth.PrivateKeyJwt(provider.clientPrivateKey) })
    const [{ body } = { body: new URLSearchParams() }] = provider.tokenRequests
    const again = await provider.fetch(provider.endpoints.token, { method: "POST", body })
    expect(await again.text()).toContain("used before")
  })
})

describe("the social dialect", () => {
  test("returns the userinfo format of the social provider", async () => {
    const provider = await createScriptedProvider({ dialect: "social" })
    provider.setUser({ sub: "4", email: "grace@example.com", name: "Grace Hopper", sex: "female" })
    const config = provider.asOAuth()
    const url = await authorizationUrl(provider, "v".repeat(43), config.authorization.params)
    const { parameters } = provider.approve(url)
    expect(parameters.has("iss")).toBe(false)
    const tokenResponse = await provider.fetch(config.token, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${config.clientId}:${config.clientSecret}`)}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: parameters.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: "v".repeat(43),
      }),
    })
    const tokens = (await tokenResponse.json()) as Record<string, unknown>
    expect(tokens).not.toHaveProperty("id_token")
    expect(tokens).toMatchObject({ token_type: "bearer", scope: config.authorization.params.scope })
    const info = await provider.fetch(config.userinfo, {
      headers: { authorization: `OAuth ${tokens.access_token}` },
    })
    const profile = (await info.json()) as Record<string, unknown>
    expect(profile).toMatchObject({
      id: "4",
      login: "grace",
      client_id: provider.clientId,
      psuid: expect.any(String),
      default_email: "grace@example.com",
      emails: ["grace@example.com"],
      display_name: "Grace Hopper",
      first_name: "Grace",
      last_name: "Hopper",
      sex: "female",
      is_avatar_empty: true,
    })
    expect(profile).not.toHaveProperty("sub")
    expect(config.profile(profile)).toEqual({
      id: "4",
      name: "Grace Hopper",
      email: "grace@example.com",
    })
    expect((await provider.fetch(provider.endpoints.discovery)).status).toBe(404)
  })
})
