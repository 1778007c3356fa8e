import { inspect } from "node:util"
import { createAuth } from "@latchkey/core"
import { AccessTokenError, MissingAdapterMethods } from "@latchkey/core/errors"
import { SqlAdapter } from "@latchkey/sql"
import { createScriptedProvider, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { openMigratedDatabase } from "../support/migrated-database.ts"
import { createOAuthApp, expectNoSecretsLogged } from "../support/oauth-app.ts"
import { createProviderTokenApp, tokenLifetime } from "../support/provider-token-app.ts"

const home = "https://app.example"

/** Runs a function so many seconds after the sign-in. */
function later<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  return withFrozenTime(Date.now() + seconds * 1000, run)
}

/** Returns the error that a promise rejects with. */
async function catchError(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("must reject"),
    (error: unknown) => error,
  )
}

describe("the access token of a stored account", () => {
  test("is returned as it was stored while it is valid", async () => {
    const { getToken, provider, readAccount } = await createProviderTokenApp()
    expect(await getToken()).toEqual({
      accessToken: readAccount()["access_token"],
      expiresAt: readAccount()["expires_at"],
      scope: readAccount()["scope"],
      tokenType: "bearer",
      idToken: readAccount()["id_token"],
      providerAccountId: "ada",
      cookies: [],
    })
    expect(provider.tokenRequests).toEqual([])
  })

  test("is that of the signed-in user for a request", async () => {
    const { auth, createRequest, readAccount } = await createProviderTokenApp()
    const token = await auth.getAccessToken(createRequest(), "scripted")
    expect(token.accessToken).toBe(readAccount()["access_token"])
  })

  test("is refreshed a minute before it expires, or as early as the option says", async () => {
    const { getToken, provider, readAccount } = await createProviderTokenApp()
    const before = readAccount()
    await later(tokenLifetime - 65, () => getToken())
    await later(tokenLifetime - 130, () => getToken({ refreshBefore: 120 }))
    expect(provider.tokenRequests).toEqual([])
    const token = await later(tokenLifetime - 60, () => getToken())
    expect(provider.tokenRequests).toHaveLength(1)
    const after = readAccount()
    expect(after["access_token"]).toBe(token.accessToken)
    expect(after["access_token"]).not.toBe(before["access_token"])
    expect(after["refresh_token"]).not.toBe(before["refresh_token"])
    expect(after["expires_at"]).toBe(token.expiresAt)
    await later(tokenLifetime, () => getToken({ refreshBefore: 120 }))
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("is refreshed once for any number of calls", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    for (const generation of [1, 2, 3]) {
      const tokens = await later(generation * tokenLifetime, () =>
        Promise.all(Array.from({ length: 50 }, () => getToken())),
      )
      expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
      expect(provider.tokenRequests).toHaveLength(generation)
    }
  })

  // nextjs-auth0 GHSA-wcgj-f865-c7j7: concurrent requests got the token of another one.
  test("is that of its own user when the tokens of several are refreshed at once", async () => {
    const { app, auth, provider, readAccount } = await createProviderTokenApp()
    provider.setUser({ sub: "grace", email: "grace@example.com" })
    await createTestBrowser(app.app).signIn(provider)
    const accounts = app.readRows("Account")
    expect(new Set(accounts.map((account) => account["userId"])).size).toBe(2)
    const tokens = await later(tokenLifetime, () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const account = accounts[index % 2] ?? readAccount()
          return auth.getAccessToken({ userId: String(account["userId"]) }, "scripted")
        }),
      ),
    )
    const stored = app.readRows("Account").map((account) => account["access_token"])
    expect(new Set(stored).size).toBe(2)
    expect(tokens.map(({ accessToken }) => accessToken)).toEqual(
      tokens.map((_, index) => stored[index % 2]),
    )
    expect(tokens.map(({ providerAccountId }) => providerAccountId)).toEqual(
      tokens.map((_, index) => accounts[index % 2]?.["providerAccountId"]),
    )
  })

  test("can be refreshed again if the provider keeps its refresh token", async () => {
    const { getToken, provider, readAccount } = await createProviderTokenApp({
      provider: { refreshTokens: "kept" },
    })
    const { refresh_token } = readAccount()
    const first = await later(tokenLifetime, () => getToken())
    const second = await later(2 * tokenLifetime, () => getToken())
    expect(second.accessToken).not.toBe(first.accessToken)
    expect(readAccount()["refresh_token"]).toBe(refresh_token)
    expect(provider.tokenRequests).toHaveLength(2)
  })

  test.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"] as const)(
    "is refreshed with the client authentication of the provider: %s",
    async (method) => {
      const { getToken, provider } = await createProviderTokenApp({
        definition: { client: { token_endpoint_auth_method: method } },
      })
      await later(tokenLifetime, () => getToken())
      expect(provider.tokenRequests).toMatchObject([{ clientAuth: method }])
      expect(provider.tokenRequests[0]?.body.get("grant_type")).toBe("refresh_token")
    },
  )
})

test.each([
  ["null members", { refresh_token: null, scope: null, error: null, token_type: null }],
  ["empty members", { refresh_token: "", scope: "", error: "", token_type: "" }],
])("a refresh whose response has %s keeps what was stored", async (_, members) => {
  const { getToken, provider, readAccount } = await createProviderTokenApp()
  const { refresh_token, scope } = readAccount()
  provider.injectFaults({ token: (honest) => ({ ...honest, ...members }) })
  const { accessToken, tokenType } = await later(tokenLifetime, () => getToken())
  expect(readAccount()).toMatchObject({ access_token: accessToken, refresh_token, scope })
  expect(tokenType).toBe("bearer")
})

describe("a refresh without an access token", () => {
  const withoutAccessToken = ({ access_token: _, ...honest }: Record<string, unknown>) => honest

  test("keeps a valid access token, and its expiry", async () => {
    const { getToken, provider, readAccount } = await createProviderTokenApp()
    const { access_token, refresh_token, expires_at } = readAccount()
    provider.injectFaults({ token: withoutAccessToken })
    const { accessToken, idToken } = await later(tokenLifetime - 30, () => getToken())
    expect(accessToken).toBe(access_token)
    expect(readAccount()).toMatchObject({ access_token, id_token: idToken, expires_at })
    expect(readAccount()["refresh_token"]).not.toBe(refresh_token)
  })

  test("names the scope once the old one has expired, and loses no refresh token", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    provider.injectFaults({ token: withoutAccessToken })
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(error).toMatchObject({ hint: expect.stringContaining("authorization.params.scope") })
    expect(provider.tokenRequests).toHaveLength(1)
    provider.clearFaults()
    const { accessToken } = await later(tokenLifetime, () => getToken())
    expect(accessToken).toMatch(/^access-/)
  })

  test("is refused without an ID token, too", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    provider.injectFaults({ token: () => ({ token_type: "bearer", refresh_token: "new" }) })
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(String(Object(error).cause.err)).toContain("access_token")
  })

  test("names the scope if the sign-in had none, either", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ token: withoutAccessToken })
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    const userId = String(app.readRows("User")[0]?.["id"])
    const error = await catchError(createAuth(app.config).getAccessToken({ userId }, "scripted"))
    expect(error).toMatchObject({ hint: expect.stringContaining("authorization.params.scope") })
  })
})

describe("a refresh that fails", () => {
  test("throws an error without the tokens of a response that cannot be used", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    const tokens = { access_token: "an access token", refresh_token: "a refresh token" }
    provider.overrideEndpoint("token", () => Response.json({ ...tokens, token_type: "mac" }))
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(error).toBeInstanceOf(AccessTokenError)
    const text = inspect(error, { depth: 20 })
    expect(text).toContain("token_type")
    for (const token of Object.values(tokens)) expect(text).not.toContain(token)
  })

  test.each([
    ["a status of 503", () => new Response("busy", { status: 503 })],
    ["temporarily_unavailable", () => jsonError(400, "temporarily_unavailable")],
    ["no response", () => Promise.reject(new TypeError("fetch failed"))],
  ])(
    "with %s returns the old token while it is valid, and then says to try again",
    async (_, respond) => {
      const { app, getToken, provider, readAccount } = await createProviderTokenApp()
      const before = readAccount()
      provider.overrideEndpoint("token", respond)
      const token = await later(tokenLifetime - 30, () => getToken())
      expect(token.accessToken).toBe(before["access_token"])
      const error = await later(tokenLifetime + 1, () => catchError(getToken()))
      expect(error).toBeInstanceOf(AccessTokenError)
      expect(error).toMatchObject({ needsSignIn: false, cause: { provider: "scripted" } })
      expect(readAccount()).toEqual(before)
      provider.clearFaults()
      const renewed = await later(tokenLifetime + 2, () => getToken())
      expect(renewed.accessToken).not.toBe(before["access_token"])
      expectNoSecretsLogged(app, provider)
    },
  )

  test("with `invalid_grant` says that the user has to sign in again", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    provider.overrideEndpoint("token", () => jsonError(400, "invalid_grant"))
    const error = await later(tokenLifetime - 30, () => catchError(getToken()))
    expect(error).toBeInstanceOf(AccessTokenError)
    expect(error).toMatchObject({ needsSignIn: true, cause: { error: "invalid_grant" } })
    expect(String(error)).toContain("invalid_grant")
  })

  test("with another client says what to compare", async () => {
    const { getToken, provider } = await createProviderTokenApp()
    provider.overrideEndpoint("token", () => jsonError(401, "invalid_client"))
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(error).toMatchObject({ needsSignIn: false, hint: expect.stringContaining("client id") })
  })

  test("with the ID token of another user stores nothing", async () => {
    const { getToken, provider, readAccount } = await createProviderTokenApp()
    const before = readAccount()
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims["sub"] = "grace"
      },
    })
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(String(Object(error).cause.err)).toContain("another subject")
    expect(readAccount()).toEqual(before)
  })
})

describe("a sign-in that stores other tokens during a refresh", () => {
  /** Replaces the stored tokens when the provider receives the refresh, and lets `respond` answer it. */
  async function createReplacingApp(respond: () => Response | undefined) {
    const app = await createProviderTokenApp()
    const replace = () => ({
      provider: "scripted",
      providerAccountId: "ada",
      access_token: "the newest access token",
      refresh_token: "the newest refresh token",
      expires_at: Math.floor(Date.now() / 1000) + tokenLifetime,
    })
    app.provider.overrideEndpoint("token", async () => {
      await app.app.config.adapter?.updateAccount?.(replace())
      return respond()
    })
    return app
  }

  test("is not overwritten by the result of the refresh", async () => {
    const { getToken, provider, readAccount } = await createReplacingApp(() => undefined)
    await later(tokenLifetime, () => getToken())
    expect(provider.tokenRequests).toHaveLength(1)
    expect(readAccount()).toMatchObject({
      access_token: "the newest access token",
      refresh_token: "the newest refresh token",
    })
  })

  test("helps if the refresh fails", async () => {
    const { getToken } = await createReplacingApp(() => jsonError(400, "invalid_grant"))
    const { accessToken } = await later(tokenLifetime, () => getToken())
    expect(accessToken).toBe("the newest access token")
  })
})

test("a user with several accounts at a provider has to name the one that is meant", async () => {
  const { app, getToken, readAccount, userId } = await createProviderTokenApp()
  const { id: _, ...account } = readAccount()
  await app.config.adapter?.linkAccount?.({
    ...account,
    userId,
    type: "oidc",
    provider: "scripted",
    providerAccountId: "grace",
    access_token: "the token of grace",
  })
  const error = await catchError(getToken())
  expect(error).toMatchObject({ type: "AccessTokenError", needsSignIn: false })
  expect(String(error)).toContain("providerAccountId")
  const { accessToken } = await getToken({ providerAccountId: "grace" })
  expect(accessToken).toBe("the token of grace")
})

describe("without tokens that can be used", () => {
  test("a request without a session needs a sign-in", async () => {
    const { auth } = await createProviderTokenApp()
    const error = await catchError(
      auth.getAccessToken({ headers: new Headers(), url: home }, "scripted"),
    )
    expect(error).toMatchObject({ type: "AccessTokenError", needsSignIn: true })
  })

  test("a user without an account at the provider needs a sign-in", async () => {
    const { auth } = await createProviderTokenApp()
    const error = await catchError(auth.getAccessToken({ userId: "nobody" }, "scripted"))
    expect(error).toMatchObject({ type: "AccessTokenError", needsSignIn: true })
  })

  test("an expired token without a refresh token needs a sign-in, and is returned until then", async () => {
    const { getToken, provider } = await createProviderTokenApp({
      provider: { refreshTokens: "none" },
    })
    await later(tokenLifetime - 5, () => getToken())
    const error = await later(tokenLifetime, () => catchError(getToken()))
    expect(error).toMatchObject({ needsSignIn: true, hint: expect.stringContaining("offline") })
    expect(provider.tokenRequests).toEqual([])
  })

  test("an unknown provider is an error of the application", async () => {
    const { auth } = await createProviderTokenApp()
    expect(await catchError(auth.getAccessToken({ userId: "someone" }, "other"))).toMatchObject({
      type: "InvalidProvider",
    })
  })

  test("a session that cannot be checked is a fault, and nobody has to sign in again", async () => {
    const { app, auth, createRequest } = await createProviderTokenApp()
    const fail = () => Promise.reject(new Error("connect ECONNREFUSED"))
    Object.assign({ ...app.config }.adapter ?? {}, { getSessionAndUser: fail })
    const error = await catchError(auth.getAccessToken(createRequest(), "scripted"))
    expect(error).toMatchObject({ type: "SessionTokenError" })
    expect(error).not.toBeInstanceOf(AccessTokenError)
  })

  test("an adapter that cannot list or update accounts is named with what it lacks", async () => {
    const { listAccounts: _, updateAccount: __, ...adapter } = SqlAdapter(openMigratedDatabase())
    const { auth } = await createProviderTokenApp({ config: { adapter } })
    const error = await catchError(auth.getAccessToken({ userId: "someone" }, "scripted"))
    expect(error).toBeInstanceOf(MissingAdapterMethods)
    expect(String(error)).toContain("to have listAccounts, updateAccount")
  })
})

function jsonError(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
