import { rotateAccessToken } from "@latchkey/core/jwt"
import { createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createRotatingApp, readToken, secondsUntilExpired } from "../support/rotating-app.ts"

describe("a provider's access token in the session token", () => {
  test("does not replace what the application has put into it at sign-in", async () => {
    const tokens = { access_token: "new", role: "admin" }
    const account = { provider: "idp", type: "oidc", providerAccountId: "1", ...tokens } as const
    const token = { sub: "user-1", role: "reader" }
    const options = { issuer: "https://idp.example", clientId: "client", clientSecret: "secret" }
    const rotated = await rotateAccessToken({ token, account }, options)
    expect(rotated).toMatchObject({ sub: "user-1", role: "reader", access_token: "new" })
  })

  test("is copied into it at sign-in, with the whole account and none of its claims", async () => {
    const { alice, provider } = await createRotatingApp()
    const token = await readToken(alice)
    expect(token).toMatchObject({
      name: "Ada Lovelace",
      email: "ada@example.com",
      provider: "scripted",
      providerAccountId: "ada",
      token_type: "bearer",
      access_token: expect.stringMatching(/^access-/),
      refresh_token: expect.stringMatching(/^refresh-/),
      expires_at: expect.any(Number),
    })
    expect(provider.tokenRequests).toEqual([])
  })

  test("is returned unchanged until it expires", async () => {
    const { alice, provider } = await createRotatingApp()
    const [now, later] = [await readToken(alice), await readToken(alice, 3500)]
    expect(later).toEqual(now)
    expect(provider.tokenRequests).toEqual([])
  })

  test("is refreshed after its expiry, with a form to the token endpoint of the issuer", async () => {
    const { alice, provider } = await createRotatingApp()
    const before = await readToken(alice)
    const when = Date.now() + secondsUntilExpired * 1000
    const after = await withFrozenTime(when, () => readToken(alice))
    expect(
      provider.tokenRequests.map(({ url, method, body }) => [method, url.href, [...body]]),
    ).toEqual([
      [
        "POST",
        "https://idp.example/oauth2/token",
        [
          ["client_id", provider.clientId],
          ["client_secret", provider.clientSecret],
          ["grant_type", "refresh_token"],
          ["refresh_token", before["refresh_token"]],
        ],
      ],
    ])
    expect(after["access_token"]).not.toBe(before["access_token"])
    expect(after["refresh_token"]).toBe(before["refresh_token"])
    expect(after["expires_at"]).toBe(Math.floor(when / 1000 + 3600))
    expect(after).not.toHaveProperty("error")
  })

  test("is kept after it was refreshed", async () => {
    const { alice, provider } = await createRotatingApp()
    const renewed = await readToken(alice, secondsUntilExpired)
    expect(await readToken(alice, secondsUntilExpired + 60)).toMatchObject({
      access_token: renewed["access_token"],
    })
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("comes with a new refresh token if the provider rotates them", async () => {
    const { alice, provider } = await createRotatingApp({ refreshTokens: "rotated" })
    const before = await readToken(alice)
    const first = await readToken(alice, secondsUntilExpired)
    const second = await readToken(alice, 2 * secondsUntilExpired)
    const tokens = [before, first, second].map((token) => token["refresh_token"])
    expect(new Set(tokens).size).toBe(3)
    expect(second).not.toHaveProperty("error")
    expect(provider.tokenRequests).toHaveLength(2)
  })

  test("is refreshed once for many concurrent requests", async () => {
    const { alice, provider } = await createRotatingApp({ refreshTokens: "rotated" })
    await withFrozenTime(Date.now() + secondsUntilExpired * 1000, async () => {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => alice.getSession()))
      const tokens = new Set(sessions.map((session) => JSON.stringify(session?.["token"])))
      expect(tokens.size).toBe(1)
      expect(provider.tokenRequests).toHaveLength(1)
      expect(JSON.stringify(await readToken(alice))).toContain("access-")
    })
  })

  test("is refreshed once even if a late request still has the old cookie", async () => {
    const { alice, provider } = await createRotatingApp({ refreshTokens: "rotated" })
    const late = createTestBrowser(alice.app)
    for (const { raw } of alice.cookies) late.cookies.setUnchecked(alice.origin, raw)
    const renewed = await readToken(alice, secondsUntilExpired)
    expect(await readToken(late, secondsUntilExpired)).toMatchObject({
      access_token: renewed["access_token"],
    })
    expect(provider.tokenRequests).toHaveLength(1)
  })
})
