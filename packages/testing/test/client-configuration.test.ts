import { customFetch } from "@latchkey/core"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, expectTypeOf, test } from "vitest"

describe("the client configuration of a provider", () => {
  test("uses OpenID Connect in process", async () => {
    const provider = await createScriptedProvider({ clientId: "me", clientSecret: "secret" })
    expect(provider.asOidc()).toEqual({
      id: "scripted",
      name: "Scripted",
      type: "oidc",
      issuer: "https://idp.example",
      clientId: "me",
      clientSecret: "secret",
      [customFetch]: provider.fetch,
    })
    expect(provider.id).toBe("scripted")
  })

  test("uses OAuth with the provider's endpoints", async () => {
    const provider = await createScriptedProvider({ id: "plain", issuer: "https://plain.example" })
    const config = provider.asOAuth()
    expect(config).toMatchObject({
      id: "plain",
      type: "oauth",
      issuer: "https://plain.example",
      authorization: { url: "https://plain.example/authorize", params: { scope: "profile email" } },
      token: "https://plain.example/token",
      userinfo: "https://plain.example/userinfo",
      [customFetch]: provider.fetch,
    })
    expect(config.profile({ sub: "1", name: "A", email: "a@example.com", picture: "p" })).toEqual({
      id: "1",
      name: "A",
      email: "a@example.com",
      image: "p",
    })
  })

  test("uses OAuth without an issuer in the social dialect", async () => {
    const provider = await createScriptedProvider({ dialect: "social" })
    expect(provider.asOAuth()).not.toHaveProperty("issuer")
    expect(provider.asOAuth().userinfo).toBe("https://idp.example/info?format=json")
  })

  test("includes changes, and keeps their types", async () => {
    const provider = await createScriptedProvider()
    const config = provider.asOidc({ id: "other", checks: ["nonce"] as const })
    expect(config).toMatchObject({ id: "other", checks: ["nonce"], type: "oidc" })
    expectTypeOf(config.checks).toEqualTypeOf<readonly ["nonce"]>()
    expectTypeOf(config.type).toEqualTypeOf<"oidc">()
    expect(provider.asOAuth({ token: "https://x.example" }).token).toBe("https://x.example")
  })

  test("has no custom fetch while the provider listens on a port", async () => {
    await using provider = await createScriptedProvider()
    expect(provider.asOptions()[customFetch]).toBe(provider.fetch)
    await provider.listen()
    expect(provider.asOptions()).toEqual({
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      issuer: provider.issuer,
    })
  })
})
