import { AccessTokenError } from "@latchkey/core/errors"
import { AuthContext, createAuthResolver, createResponseCookies } from "@latchkey/core/integration"
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { tokenLifetime } from "../support/provider-token-app.ts"
import { createSessionTokenApp } from "../support/session-token-app.ts"

/** Runs a function so many seconds after the sign-in. */
function later<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  return withFrozenTime(Date.now() + seconds * 1000, run)
}

describe("tokens in the session", () => {
  test("are there only if the option says so", async () => {
    const { alice, first, auth, createRequest } = await createSessionTokenApp({
      session: { strategy: "jwt" },
    })
    await alice.signIn(first)
    await expect(auth.getAccessToken(createRequest(), "first")).rejects.toMatchObject({
      type: "MissingAdapter",
      hint: expect.stringContaining("providerTokens"),
    })
  })

  test("are not part of the session that the browser sees", async () => {
    const { alice, first, getToken } = await createSessionTokenApp()
    await alice.signIn(first)
    const { accessToken, cookieCount } = await getToken("first")
    expect(accessToken).toMatch(/^access-/)
    expect(cookieCount).toBe(0)
    expect(JSON.stringify(await alice.getSession())).not.toContain("access")
  })

  test("reach the cookie when they are refreshed, and are used from there", async () => {
    const { alice, first, getToken, createRequest } = await createSessionTokenApp()
    await alice.signIn(first)
    first.clearRequests()
    const late = createRequest()
    const token = await later(tokenLifetime, () => getToken("first"))
    expect(token.cookieCount).toBeGreaterThan(0)
    expect(await later(tokenLifetime + 60, () => getToken("first"))).toEqual({
      ...token,
      cookieCount: 0,
    })
    // A request that was sent with the old cookie.
    const { accessToken } = await later(tokenLifetime, () => getToken("first", late))
    expect(accessToken).toBe(token.accessToken)
    expect(first.tokenRequests).toHaveLength(1)
    await later(2 * tokenLifetime, () => getToken("first"))
    expect(first.tokenRequests).toHaveLength(2)
  })

  test("of several providers are kept if the second account is linked", async () => {
    const { alice, first, second, getToken } = await createSessionTokenApp()
    await alice.signIn(first)
    const user = (await alice.getSession())?.user
    const tokens = await getToken("first")
    await alice.open(second.approve(await alice.startSignIn("second", { link: "true" })).url)
    expect((await alice.getSession())?.user).toEqual(user)
    expect((await getToken("first")).accessToken).toBe(tokens.accessToken)
    expect((await getToken("second")).providerAccountId).toBe("ada at the second")
    const both = await later(tokenLifetime, async () => [
      await getToken("first"),
      await getToken("second"),
    ])
    expect(new Set(both.map(({ accessToken }) => accessToken)).size).toBe(2)
    expect(both.map(({ providerAccountId }) => providerAccountId)).toEqual([
      "ada",
      "ada at the second",
    ])
  })

  test("of another user do not stay in the session", async () => {
    const { alice, first, second, getToken } = await createSessionTokenApp()
    await alice.signIn(first)
    await alice.signIn(second)
    await expect(getToken("first")).rejects.toMatchObject({ needsSignIn: true })
  })

  test("survive concurrent requests that refresh those of different providers", async () => {
    const { alice, first, second, getToken, createRequest } = await createSessionTokenApp()
    await alice.signIn(first)
    await alice.open(second.approve(await alice.startSignIn("second", { link: "true" })).url)
    for (const provider of [first, second]) provider.clearRequests()
    const request = createRequest()
    await later(tokenLifetime, async () => {
      const tokenOfFirst = await getToken("first", request)
      await getToken("second", request)
      expect((await getToken("first")).accessToken).toBe(tokenOfFirst.accessToken)
    })
    await later(2 * tokenLifetime, () => getToken("first"))
    expect(first.tokenRequests).toHaveLength(2)
    expect(second.tokenRequests).toHaveLength(1)
  })

  test("survive a session that is renewed for the same response during the refresh", async () => {
    const { alice, first, config, createRequest } = await createSessionTokenApp({
      session: { strategy: "jwt", providerTokens: true, updateAge: 0 },
    })
    await alice.signIn(first)
    first.clearRequests()
    const { headers, url } = createRequest()
    const integratedAuth = createAuthResolver({ basePath: "/auth" })(config, {})
    const { engine } = integratedAuth
    const init = {
      headers,
      resolveUrl: () => new URL(url),
      cookies: createResponseCookies(() => undefined),
    }
    let calls = 0
    const getAccessToken: typeof engine.getAccessToken = async (...call) => {
      const result = await engine.getAccessToken(...call)
      if (calls++ === 0) await new AuthContext(integratedAuth, init).getSession()
      return result
    }
    const auth = { ...integratedAuth, engine: { ...engine, getAccessToken } }
    await later(tokenLifetime, async () => {
      const context = new AuthContext(auth, init)
      const { accessToken } = await context.getAccessToken("first")
      const kept = await engine.getAccessToken(context, "first", { canSetCookies: false })
      expect(kept.accessToken).toBe(accessToken)
    })
    expect(first.tokenRequests).toHaveLength(1)
  })

  test("survive a `jwt` callback that returns other claims", async () => {
    const { alice, first, getToken } = await createSessionTokenApp({
      callbacks: { jwt: ({ token }) => ({ sub: String(token.sub), role: "reader" }) },
    })
    await alice.signIn(first)
    expect((await getToken("first")).accessToken).toMatch(/^access-/)
    await alice.getSession()
    const token = await later(tokenLifetime, () => getToken("first"))
    expect(await later(tokenLifetime + 1, () => getToken("first"))).toMatchObject({
      accessToken: token.accessToken,
    })
  })

  test("are not refreshed for a response that cannot set cookies", async () => {
    const { alice, first, auth, createRequest } = await createSessionTokenApp()
    await alice.signIn(first)
    first.clearRequests()
    const get = () => auth.getAccessToken(createRequest(), "first", { canSetCookies: false })
    const token = await later(tokenLifetime - 30, get)
    expect(token.cookies).toEqual([])
    const refused = later(tokenLifetime, get)
    await expect(refused).rejects.toThrow(AccessTokenError)
    await expect(refused).rejects.toMatchObject({
      needsSignIn: false,
      hint: expect.stringContaining("headers"),
    })
    expect(first.tokenRequests).toEqual([])
  })

  test("of another user in the response to a refresh are refused", async () => {
    const { alice, first, getToken } = await createSessionTokenApp()
    await alice.signIn(first)
    first.injectFaults({
      idToken: ({ claims }) => {
        claims["sub"] = "grace"
      },
    })
    await expect(later(tokenLifetime, () => getToken("first"))).rejects.toMatchObject({
      message: expect.stringContaining("could not be refreshed"),
    })
  })
})
