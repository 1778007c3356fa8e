import { inspect } from "node:util"
import { rotateAccessToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { expectNoSecretsLogged } from "../support/oauth-app.ts"
import { createRotatingApp, readToken, secondsUntilExpired } from "../support/rotating-app.ts"

describe("an access token that cannot be refreshed", () => {
  const faults = [
    "status-400",
    "status-500",
    "html",
    "network-error",
    "redirect",
    "array",
    "null",
  ] as const
  test.each([...faults, "access-token-missing", "access-token-number"] as const)(
    "keeps the session, marks it, and is refreshed again later: %s",
    async (token) => {
      const { alice, provider, app } = await createRotatingApp()
      const before = await readToken(alice)
      provider.injectFaults({ token })
      const failed = await readToken(alice, secondsUntilExpired)
      const { access_token, refresh_token } = before
      expect(failed).toMatchObject({ access_token, refresh_token, error: "RefreshTokenError" })
      expect(failed.email).toBe("ada@example.com")
      provider.clearFaults()
      const renewed = await readToken(alice, secondsUntilExpired)
      expect(renewed["access_token"]).not.toBe(access_token)
      expect(renewed).not.toHaveProperty("error")
      expect(provider.tokenRequests).toHaveLength(2)
      expectNoSecretsLogged(app, provider)
    },
  )

  test("is not taken from an error response", async () => {
    const { alice, provider } = await createRotatingApp()
    const { access_token } = await readToken(alice)
    provider.overrideEndpoint("token", async (_, honest) => {
      return new Response((await honest()).body, { status: 400 })
    })
    const failed = await readToken(alice, secondsUntilExpired)
    expect(failed).toMatchObject({ access_token, error: "RefreshTokenError" })
  })

  test.each([
    [{}, ""],
    [{ error: "invalid_grant", error_description: "spent" }, ', error "invalid_grant"'],
    [{ error: "token spent" }, ""],
    [["spent"], ""],
    [null, ""],
  ])("passes the reason, but not its own token, to `onError`: %j", async (response, reason) => {
    const reported: unknown[] = []
    const token = { sub: "ada", expires_at: 1, refresh_token: "spent" }
    const options = {
      issuer: "https://idp.example",
      clientId: "app",
      clientSecret: "secret",
      fetch: async () => Response.json(response, { status: 400 }),
      onError: (error: unknown) => void reported.push(error),
    }
    expect(await rotateAccessToken({ token }, options)).toEqual({
      ...token,
      error: "RefreshTokenError",
    })
    expect(reported).toEqual([expect.any(Error)])
    expect(String(reported[0])).not.toContain("spent")
    const told400 = "https://idp.example/oauth2/token did not refresh the tokens: status 400"
    expect(String(reported[0])).toBe(`TypeError: The token endpoint ${told400}${reason}`)
  })

  test.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("the log is full")
      },
    ],
    ["rejects", async () => Promise.reject(new Error("the log is full"))],
  ])("keeps the session even if `onError` %s", async (_, onError) => {
    const token = { sub: "ada", expires_at: 1, refresh_token: "a good one" }
    const options = {
      issuer: "https://idp.example",
      clientId: "app",
      clientSecret: "secret",
      fetch: async () => new Response("{}", { status: 400 }),
      onError,
    }
    expect(await rotateAccessToken({ token }, options)).toEqual({
      ...token,
      error: "RefreshTokenError",
    })
  })

  test("does not appear in the error of an unreadable response", async () => {
    const reported: unknown[] = []
    const options = {
      issuer: "https://idp.example",
      clientId: "app",
      clientSecret: "secret",
      fetch: async () => new Response('{"access_token": eyJhbGciOiJSUzI1NiJ9}'),
      onError: (error: unknown) => void reported.push(error),
    }
    const token = { expires_at: 1, refresh_token: "another" }
    expect(await rotateAccessToken({ token }, options)).toHaveProperty("error")
    expect(reported).toEqual([expect.any(TypeError)])
    expect(inspect(reported, { depth: 9 })).not.toContain("eyJhb")
  })

  const strangers = {
    "another issuer": { iss: "https://other.example" },
    "another user": { sub: "mallory" },
    "no issuer": { iss: undefined },
  }
  test.each(Object.entries(strangers))(
    "is not accepted with an ID token of %s",
    async (_, claims) => {
      const { alice, provider } = await createRotatingApp()
      const before = await readToken(alice)
      provider.injectFaults({ idToken: (parts) => void Object.assign(parts.claims, claims) })
      const failed = await readToken(alice, secondsUntilExpired)
      expect(failed).toMatchObject({
        access_token: before["access_token"],
        id_token: before["id_token"],
        error: "RefreshTokenError",
      })
    },
  )

  test("causes a TypeError without a refresh token, and the session remains", async () => {
    const { alice, app } = await createRotatingApp({ refreshTokens: "none" })
    await expect(readToken(alice, secondsUntilExpired)).rejects.toThrow("503")
    expect(app.readLog()).toContain("Missing refresh_token")
    expect(await readToken(alice)).toMatchObject({ email: "ada@example.com" })
  })
})

describe("rotateAccessToken", () => {
  const past = { expires_at: 1000, access_token: "old", refresh_token: "r1" }

  test("throws for an expired token without a refresh token", async () => {
    const { rotation } = await createRotatingApp()
    const token = { expires_at: 1000, access_token: "old" }
    await expect(rotateAccessToken({ token }, rotation)).rejects.toThrow(
      new TypeError("Missing refresh_token"),
    )
  })

  test("returns a token without expiry unchanged", async () => {
    const { rotation, provider } = await createRotatingApp()
    const token = { access_token: "endless", refresh_token: "r1" }
    expect(await rotateAccessToken({ token }, rotation)).toBe(token)
    expect(provider.requests).toEqual([])
  })

  test("does not let a provider's response change who is signed in", async () => {
    const { rotation } = await createRotatingApp()
    const account = {
      provider: "x",
      providerAccountId: "1",
      type: "oauth" as const,
      ...{ sub: "victim", email: "victim@example.com", exp: 9e9, nbf: 9e9, access_token: "a" },
    }
    expect(await rotateAccessToken({ token: { sub: "ada" }, account }, rotation)).toEqual({
      sub: "ada",
      provider: "x",
      providerAccountId: "1",
      type: "oauth",
      access_token: "a",
    })
  })

  test("throws without a token endpoint", async () => {
    const { rotation } = await createRotatingApp()
    const { issuer: _, ...rest } = rotation
    await expect(rotateAccessToken({ token: past }, rest)).rejects.toThrow(/tokenEndpoint/)
  })

  test("uses a configured token endpoint, but not over plain http", async () => {
    const tokenEndpoint = "https://idp.example/token"
    const { alice, provider } = await createRotatingApp({}, { tokenEndpoint })
    await readToken(alice, secondsUntilExpired)
    expect(provider.tokenRequests.map(({ url }) => url.href)).toEqual([tokenEndpoint])
    const plain = await createRotatingApp({}, { tokenEndpoint: "http://idp.example/token" })
    expect(await readToken(plain.alice, secondsUntilExpired)).toMatchObject({
      error: "RefreshTokenError",
    })
    expect(plain.provider.requests).toEqual([])
  })

  describe.each([-1, 0, "soon", "1e400", null, {}, undefined])(
    "if the provider returns a lifetime of %j",
    (expires_in) => {
      const renewedFrom = async (token: JWT) => {
        let asked = 0
        const sendTokenResponse = async () => {
          asked += 1
          return Response.json({ access_token: "new", expires_in })
        }
        const { rotation } = await createRotatingApp({}, { fetch: sendTokenResponse })
        const renewed = await rotateAccessToken({ token }, rotation)
        expect(await rotateAccessToken({ token: renewed }, rotation)).toBe(renewed)
        expect(asked).toBe(1)
        return renewed
      }

      test("the lifetime of the first access token is used", async () => {
        const refresh_token = `${JSON.stringify(expires_in)}, and an hour at first`
        const before = Math.floor(Date.now() / 1000) + 3600
        const token = await renewedFrom({ ...past, refresh_token, expires_in: 3600 })
        expect(token).toMatchObject({ access_token: "new", refresh_token })
        expect(Number(token["expires_at"]) - before).toBeOneOf([0, 1])
      })

      test.each([undefined, "soon", -1])("or five minutes, if that was %j", async (first) => {
        const refresh_token = `${JSON.stringify(expires_in)}, and ${first} at first`
        const before = Math.floor(Date.now() / 1000) + 300
        const token = await renewedFrom({ ...past, refresh_token, expires_in: first })
        expect(Number(token["expires_at"]) - before).toBeOneOf([0, 1])
      })
    },
  )
})
