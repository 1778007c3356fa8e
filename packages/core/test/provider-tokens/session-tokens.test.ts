import { getSessionInfo } from "@latchkey/core"
import { AccessTokenError } from "@latchkey/core/errors"
import { AuthContext, createAuthResolver, createResponseCookies } from "@latchkey/core/integration"
import { getToken } from "@latchkey/core/jwt"
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import { tokenLifetime } from "../support/provider-token-app.ts"
import { createSessionTokenApp } from "../support/session-token-app.ts"
import { testAppSecret } from "../support/test-app.ts"

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

  test("of a session that has ended do not come back with its cookie", async () => {
    const session = { strategy: "jwt", providerTokens: true } as const
    const app = await createLinkingApp({ session })
    app.work.setUser(ada)
    app.club.setUser({ ...bob, email: "ada@club.example" })
    const browser = app.openBrowser()
    const listProviders = async () => {
      const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const params = { req: { headers: { cookie } }, secret: testAppSecret, secureCookie: true }
      return Object.keys(Object((await getToken(params))?.["providerTokens"]))
    }
    await browser.signIn(app.work)
    await browser.open(app.club.approve(await browser.startSignIn("club", { link: "true" })).url)
    expect(await listProviders()).toEqual(["work", "club"])
    const sessionCookies = [...browser.cookies].filter(({ name }) => name.includes("session-token"))
    await browser.signOut()
    for (const { raw } of sessionCookies) browser.cookies.setUnchecked(browser.origin, raw)
    expect(await browser.getSession()).toBeNull()
    for (const { raw } of sessionCookies) browser.cookies.setUnchecked(browser.origin, raw)
    await browser.signIn(app.club)
    expect(await listProviders()).toEqual(["club"])
  })

  test("of an added account do not make the session fresh, and a repeated sign-in does", async () => {
    const { alice, first, second, auth, createRequest } = await createSessionTokenApp()
    const readAuthTime = async () => {
      const { session } = await auth.getSession(createRequest())
      return session ? getSessionInfo(session)?.authTime?.getTime() : undefined
    }
    await alice.signIn(first)
    const begun = (await readAuthTime()) ?? Number.NaN
    await later(700, () => alice.signIn(second, { link: "true" }))
    expect(await readAuthTime()).toBe(begun)
    await later(1400, () => alice.signIn(first, { link: "true" }))
    expect(await readAuthTime()).toBeGreaterThanOrEqual(begun + 1_400_000)
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
