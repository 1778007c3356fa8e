/** Which request reaches which action, and the response of each (protocol 1.1–1.3). */
import { skipCSRFCheck } from "@latchkey/core"
import { getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createMinimalSite,
  createTestSite,
  getRedirectTarget,
  postForm,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

const noStore = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" }
const standingCookies = ["__Host-authjs.csrf-token", "__Secure-authjs.callback-url"]

/** The parts of a response that the table describes. */
function describeResponse(response: Response) {
  const type = response.headers.get("content-type")
  return {
    status: response.status,
    type: type?.split(";")[0] ?? null,
    leadsTo: getRedirectTarget(response),
    cookies: getSetCookieNames(response).sort(),
    stored: response.headers.get("cache-control") === null,
  }
}

const pageResponse = { type: "text/html", leadsTo: null, cookies: standingCookies, stored: false }
const brokenResponse = {
  status: 302,
  type: null,
  leadsTo: "/auth/error?error=Configuration",
  cookies: [],
  stored: false,
}

const expiredPage = "/auth/error?error=Configuration&reason=expired&provider=scripted"

describe("GET", () => {
  const data = { type: "application/json", leadsTo: null, cookies: standingCookies, stored: false }

  test.each([
    ["providers", { ...data, status: 200, cookies: [], stored: true }],
    ["csrf", { ...data, status: 200 }],
    ["session", { ...data, status: 200, cookies: [] }],
    ["signin", { ...pageResponse, status: 200 }],
    ["signout", { ...brokenResponse, leadsTo: siteOrigin, cookies: standingCookies }],
    ["verify-request", { ...pageResponse, status: 200 }],
    ["error", { ...pageResponse, status: 200 }],
    ["error?error=Configuration", { ...pageResponse, status: 500 }],
    ["error?error=AccessDenied", { ...pageResponse, status: 403 }],
    ["error?error=Verification", { ...pageResponse, status: 403 }],
    ["error?error=Other", { ...pageResponse, status: 200 }],
    ["signin/scripted", brokenResponse],
    ["signin/credentials", brokenResponse],
    ["callback", brokenResponse],
    ["callback/credentials", brokenResponse],
    ["callback/scripted", { ...brokenResponse, leadsTo: expiredPage }],
    ["callback/email", { ...brokenResponse, leadsTo: "/auth/error?error=Verification" }],
    ["webauthn-options", brokenResponse],
    ["webauthn-options/scripted", brokenResponse],
    ["signin/nobody", brokenResponse],
    ["callback/nobody", brokenResponse],
    ["webauthn-options/nobody", brokenResponse],
  ])("%s", async (route, expected) => {
    const { config } = await createTestSite()
    expect(describeResponse(await sendRequest(config, `/auth/${route}`))).toEqual(expected)
  })

  test("providers returns id, name, type and URLs of each, in the order of the configuration", async () => {
    const { config } = await createTestSite()
    const response = await sendRequest(config, "/auth/providers")
    const list: Record<string, unknown> = await response.json()
    expect(Object.keys(list)).toEqual(["scripted", "credentials", "email"])
    expect(list["scripted"]).toEqual({
      id: "scripted",
      name: "Scripted",
      type: "oidc",
      signinUrl: `${siteOrigin}/auth/signin/scripted`,
      callbackUrl: `${siteOrigin}/auth/callback/scripted`,
    })
    const reversed = { ...config, providers: config.providers.toReversed() }
    const other: object = await (await sendRequest(reversed, "/auth/providers")).json()
    expect(Object.keys(other)).toEqual(["email", "credentials", "scripted"])
  })

  test("csrf returns a token of 64 hex digits, with `no-store`", async () => {
    const response = await sendRequest(createMinimalSite().config, "/auth/csrf")
    expect(await response.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(Object.fromEntries(response.headers)).toMatchObject(noStore)
  })

  test("csrf returns 404 and deletes its cookie if a framework has its own check", async () => {
    const { config, log } = createMinimalSite()
    const response = await sendRequest({ ...config, skipCSRFCheck }, "/auth/csrf")
    expect([response.status, await response.text()]).toEqual([404, ""])
    const [deleted] = response.headers.getSetCookie().filter((line) => line.includes("csrf"))
    expect(deleted).toMatch(/^__Host-authjs\.csrf-token=; Max-Age=0;/)
    expect(log.warningCodes).toEqual(["csrf-disabled"])
  })

  test("session returns null if nobody is signed in, with `no-store`", async () => {
    const response = await sendRequest(createMinimalSite().config, "/auth/session")
    expect(await response.text()).toBe("null")
    expect(Object.fromEntries(response.headers)).toMatchObject(noStore)
  })

  test("the callback-url and csrf-token cookies are set once, and again if they are missing", async () => {
    const alice = createMinimalSite().openBrowser()
    await alice.open("/auth/signin")
    expect(alice.setCookieHeaders).toHaveLength(2)
    for (const route of ["signin", "session", "csrf", "error", "verify-request", "signout"]) {
      await alice.open(`/auth/${route}`)
      expect([route, ...alice.setCookieHeaders]).toEqual([route])
    }
    alice.cookies.delete("__Host-authjs.csrf-token")
    await alice.open("/auth/session")
    expect(alice.setCookieHeaders).toEqual([])
    await alice.open("/auth/verify-request")
    expect(alice.setCookieHeaders).toEqual([expect.stringMatching(/^__Host-authjs\.csrf-token=/)])
  })
})

describe("POST", () => {
  const forged = { ...brokenResponse, leadsTo: "/auth/signin?error=MissingCSRF" }

  test.each([
    ["signin/nobody", brokenResponse],
    ["callback/nobody", brokenResponse],
    ["callback", brokenResponse],
    ["callback/scripted", brokenResponse],
    ["signin", forged],
    ["signin/scripted", forged],
    ["signin/undefined", forged],
    ["signin/credentials", forged],
    ["signin/email", forged],
    ["signout", forged],
    ["callback/credentials", forged],
    ["callback/email", forged],
    [
      "session",
      { status: 400, type: "application/json", leadsTo: null, cookies: [], stored: false },
    ],
  ])("%s without a token", async (route, expected) => {
    const { config } = await createTestSite()
    expect(describeResponse(await postForm(config, `/auth/${route}`))).toEqual(expected)
  })

  const gone = { status: 302, type: null, stored: false }

  test.each([
    ["signin", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/undefined", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/credentials", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/email", { ...gone, leadsTo: "/auth/verify-request?provider=email&type=email" }],
    ["signout", { ...gone, leadsTo: siteOrigin }],
    ["session", { status: 200, type: "application/json", leadsTo: null, stored: false }],
  ])("%s with its token", async (route, expected) => {
    const alice = (await createTestSite()).openBrowser()
    const csrfToken = await alice.getCsrfToken()
    const response = await alice.post(`/auth/${route}`, { csrfToken, email: "ada@example.com" })
    // The browser that requests a link is marked, and remembers the request.
    const linkCookies = [
      expect.stringContaining("email-request."),
      "__Host-latchkey.requested-link",
    ]
    const cookies = route === "signin/email" ? linkCookies : []
    expect(describeResponse(response)).toEqual({ ...expected, cookies })
  })

  test("of a session update without a token returns null", async () => {
    const response = await postForm(createMinimalSite().config, "/auth/session")
    expect([response.status, await response.text()]).toEqual([400, "null"])
  })

  test("redirects with 302, never with a status that repeats the form", async () => {
    const { openBrowser, provider } = await createTestSite()
    const alice = openBrowser()
    const responses = [
      await alice.signIn("credentials", validCredentials),
      await alice.signIn("credentials", { ...validCredentials, word: "wrong" }),
      await alice.signIn(provider.id),
      await alice.signOut(),
    ]
    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302])
  })
})
