import {
  type AuthorizationResponse,
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  getSetCookieNames,
  type TestBrowser,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import {
  createOAuthApp,
  expectNoSecretsLogged,
  expectSignInRefused,
  listTransactionCookies,
} from "../support/oauth-app.ts"

const formPost = { authorization: { params: { response_mode: "form_post" } } }

async function createFormPostSetup(changes: Parameters<typeof createOAuthApp>[1] = {}) {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(formPost), changes)
  return { provider, app, alice: createTestBrowser(app.app) }
}

/** Posts a response without following the redirect. */
function postResponse(
  browser: TestBrowser,
  { url, parameters, providerOrigin }: AuthorizationResponse,
): Promise<Response> {
  return browser.post(url, parameters, { from: providerOrigin })
}

/** The form response as a link, with its fields in the query. */
function toLink({ url, parameters }: AuthorizationResponse): URL {
  const link = new URL(url)
  link.search = parameters.toString()
  return link
}

describe("response_mode=form_post", () => {
  test("signs in with a form that the provider posts across sites", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl: "/inbox" })
    expect(authorizationUrl.searchParams.get("response_mode")).toBe("form_post")
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe("https://app.example/inbox")
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(alice.cookies.rejected).toEqual([])
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test("refuses the same response as a GET request", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    assertRefused(await alice.open(toLink(comeback), { from: comeback.providerOrigin }))
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a form if the query names another provider", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const link = toLink(comeback)
    comeback.parameters.delete("code")
    comeback.url.search = link.search
    assertRefused(await alice.open(comeback))
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a posted response if the provider uses GET", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const { url, parameters } = provider.approve(await alice.startSignIn(provider))
    const target = new URL(url.pathname, url)
    assertRefused(await alice.post(target, parameters))
    assertRefused(await alice.post(url, {}))
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test.each(["code", "state", "iss", "error"])("refuses a form with %s twice", async (name) => {
    const { provider, alice, app } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    for (let time = 0; time < 2; time += 1) {
      comeback.parameters.append(name, comeback.parameters.get(name) ?? "access_denied")
    }
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("redirects to the same URL without the response in it, which an encrypted cookie holds", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    // Long enough not to occur in the encrypted text by chance.
    const name = "AdaKingCountessOfLovelace"
    comeback.parameters.set("user", JSON.stringify({ name: { firstName: name } }))
    const before = alice.cookies.names
    const posted = await postResponse(alice, comeback)
    expect(posted.status).toBe(303)
    const state = comeback.parameters.get("state")
    expect(posted.headers.get("location")).toBe(`${comeback.url}?state=${state}`)
    const [line = "", ...others] = posted.headers.getSetCookie()
    expect(others).toEqual([])
    expect(line).toMatch(/^__Host-latchkey\.form-response\.[\w-]{16}=[\w.-]+; Path=\/; /)
    expect(line).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
    for (const secret of [comeback.parameters.get("code"), name]) expect(line).not.toContain(secret)
    expect((await alice.followRedirect(posted)).headers.get("location")).toBe("https://app.example")
    expect(alice.cookies.names.filter((name) => name.includes("form-response"))).toEqual([])
    expect(before.filter((name) => name.includes("form-response"))).toEqual([])
  })

  test("ends the session that the browser had", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    await alice.signIn(provider)
    const [before] = app.readRows("Session")
    provider.setUser({ sub: "grace", email: "grace@example.com" })
    await alice.signIn(provider)
    const after = app.readRows("Session")
    expect(after).toHaveLength(1)
    expect(after[0]?.["sessionToken"]).not.toBe(before?.["sessionToken"])
    expect(await alice.getSession()).toMatchObject({ user: { email: "grace@example.com" } })
  })

  test.each(["database", "jwt"] as const)("links an account, strategy %s", async (strategy) => {
    const { provider, alice, app } = await createFormPostSetup({ session: { strategy } })
    await alice.signIn(provider)
    provider.setUser({ sub: "ada-at-work", email: "ada@work.example" })
    const response = await alice.signIn(provider, { link: "true", callbackUrl: "/accounts" })
    expect(response.headers.get("location")).toBe("https://app.example/accounts")
    expect(app.readRows("User")).toHaveLength(1)
    expect(app.readRows("Account")).toHaveLength(2)
  })

  test("keeps the callback URL and the open forms of the browser", async () => {
    const { provider, alice } = await createFormPostSetup()
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl: "/inbox" })
    const csrfToken = await alice.getCsrfToken()
    const kept = ["__Host-authjs.csrf-token", "__Secure-authjs.callback-url"]
    const values = () => kept.map((name) => alice.cookies.get(name)?.value)
    const before = values()
    await postResponse(alice, provider.approve(authorizationUrl))
    expect(values()).toEqual(before)
    expect(await alice.getCsrfToken()).toBe(csrfToken)
  })

  test("completes sign-ins in two tabs, whose responses overlap", async () => {
    const { provider, alice } = await createFormPostSetup()
    const tabs = ["/one", "/two"]
    const urls = []
    for (const callbackUrl of tabs) urls.push(await alice.startSignIn(provider, { callbackUrl }))
    const posted = []
    for (const url of urls) posted.push(await postResponse(alice, provider.approve(url)))
    for (const [i, tab] of tabs.entries()) {
      const response = await alice.followRedirect(posted[i] as Response)
      expect(response.headers.get("location")).toBe(`https://app.example${tab}`)
    }
  })

  test("works without secure cookies and under another base path", async () => {
    const provider = await createScriptedProvider()
    const { app } = await createOAuthApp(provider.asOidc(formPost), {
      basePath: "/api/auth",
      useSecureCookies: false,
    })
    const alice = createTestBrowser(app, { basePath: "/api/auth" })
    expect((await alice.signIn(provider)).headers.get("location")).toBe("https://app.example")
    expect(await alice.getSession()).not.toBeNull()
  })

  test("shows the error of the provider, with its text in the log only", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    comeback.parameters.delete("code")
    comeback.parameters.set("error", "user_cancelled_authorize")
    const response = await alice.open(comeback)
    expect(response.headers.get("location")).not.toContain("user_cancelled")
    expect(app.readLog()).toContain("user_cancelled_authorize")
    await expectSignInRefused(response, alice, app, provider)
  })

  test("keeps the code out of the log when the sign-in fails", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const code = comeback.parameters.get("code") ?? ""
    provider.injectFaults({ token: () => ({ error: "invalid_grant", error_description: code }) })
    assertRefused(await alice.open(comeback))
    expect(app.readLog()).toContain("invalid_grant")
    expect(app.readLog()).not.toContain(code)
    expectNoSecretsLogged(app, provider)
  })

  test("stores nothing for a sign-in that this browser did not begin", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const mallory = createTestBrowser(app.app)
    const comeback = provider.approve(await mallory.startSignIn(provider))
    for (const browser of [alice, createTestBrowser(app.app)]) {
      const posted = await postResponse(browser, comeback)
      expect(getSetCookieNames(posted)).toEqual([])
      assertRefused(await browser.followRedirect(posted))
    }
    const empty = await postResponse(alice, Object.assign(comeback, { parameters: undefined }))
    expect(getSetCookieNames(empty)).toEqual([])
    assertRefused(await alice.followRedirect(empty))
    expect(provider.tokenRequests).toEqual([])
    expect(await alice.getSession()).toBeNull()
  })

  test.each([
    ["follows the redirect too late", 61_000, false],
    ["has lost the cookie", 0, true],
  ])("refuses a browser that %s", async (_, delay, isLost) => {
    const { provider, app } = await createFormPostSetup()
    const alice = createTestBrowser(app.app, { now: () => 0 })
    const posted = await postResponse(alice, provider.approve(await alice.startSignIn(provider)))
    const [name = ""] = alice.cookies.names.filter((each) => each.includes("form-response"))
    if (isLost) alice.cookies.delete(name)
    const response = await withFrozenTime(Date.now() + delay, () => alice.followRedirect(posted))
    assertRefused(response)
    expect(alice.cookies.names).not.toContain(name)
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a response that was used, by POST and by GET", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const posted = await postResponse(alice, comeback)
    await alice.followRedirect(posted)
    expectExpiredResponseIgnored(await alice.followRedirect(posted))
    const again = await postResponse(alice, comeback)
    expectExpiredResponseIgnored(await alice.followRedirect(again))
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("refuses a stored response at another provider", async () => {
    const provider = await createScriptedProvider()
    const other = { ...provider.asOidc(formPost), id: "other" }
    const { app } = await createOAuthApp([provider.asOidc(formPost), other])
    const alice = createTestBrowser(app)
    const posted = await postResponse(alice, provider.approve(await alice.startSignIn(provider)))
    const target = posted.headers.get("location")?.replace("/scripted", "/other") ?? ""
    assertRefused(await alice.open(target, { from: "https://evil.example" }))
    expect(provider.tokenRequests).toEqual([])
    expect(listTransactionCookies(alice)).toEqual([])
  })

  test("accepts long codes, and refuses a response that does not fit into a cookie", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    comeback.parameters.set("more", "x".repeat(2400))
    const posted = await postResponse(alice, comeback)
    expect(alice.cookies.rejected).toEqual([])
    expect((await alice.followRedirect(posted)).headers.get("location")).toBe("https://app.example")
    const next = provider.approve(await alice.startSignIn(provider))
    next.parameters.set("more", "x".repeat(2600))
    assertRefused(await postResponse(alice, next))
    expect(app.readLog()).toMatch(/a response of at most 2600 characters/)
  })

  test("sets cookies for cross-site requests for the pending sign-in only", async () => {
    const { provider, alice } = await createFormPostSetup()
    const authorizationUrl = await alice.startSignIn(provider)
    const crossing = [...alice.cookies].filter(({ sameSite }) => sameSite === "none")
    expect(crossing.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^__Host-authjs\.state\./),
    ])
    expect(crossing.every(({ secure, httpOnly }) => secure && httpOnly)).toBe(true)
    await alice.open(provider.approve(authorizationUrl))
    const left = [...alice.cookies].map(({ name, sameSite }) => [name, sameSite])
    expect(left).toContainEqual(["__Secure-authjs.session-token", "lax"])
    expect(left.filter(([, sameSite]) => sameSite !== "lax")).toEqual([])
  })

  test("sets no such cookies for other providers", async () => {
    const provider = await createScriptedProvider()
    const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
    await alice.startSignIn(provider)
    expect([...alice.cookies].map(({ sameSite }) => sameSite)).not.toContain("none")
  })
})
