/** `signIn` of the client with `redirect: false`: its results. */
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { createFactorSite, factorPath, password } from "../../core/test/support/factor-app.ts"
import {
  createTestSite,
  passwordProvider,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../../core/test/support/test-site.ts"
import { type ClientPages, createClientPages } from "./support/client-pages.ts"

const withoutRedirect = { redirect: false } as const

async function openClientPages(changes: Partial<TestSiteConfig> = {}) {
  const { app, links, provider } = await createTestSite(changes)
  return Object.assign(createClientPages(app), { links, provider })
}

class Locked extends CredentialsSignin {
  override code = "locked"
}

describe("with credentials", () => {
  test("returns the user and the target", async () => {
    const page = (await openClientPages()).openPage()
    const result = await page.signIn("credentials", {
      ...withoutRedirect,
      ...validCredentials,
      redirectTo: "/inbox",
    })
    expect(result).toMatchObject({
      ok: true,
      kind: "signed-in",
      url: `${siteOrigin}/inbox`,
      session: { user: { name: "Ada" } },
    })
    expect(result.error).toBeUndefined()
  })

  test.each([true, false])("sends the choice to stay signed in: %s", async (rememberMe) => {
    const sent: unknown[] = []
    const login = credentials({
      credentials: { name: {}, rememberMe: {} },
      authorize(fields) {
        sent.push(fields["rememberMe"])
        return { id: "ada", name: "Ada" }
      },
    })
    const { openPage } = await openClientPages({ providers: [login] })
    const options = { ...withoutRedirect, name: "ada", rememberMe }
    expect((await openPage().signIn("credentials", options)).kind).toBe("signed-in")
    expect(sent).toEqual([`${rememberMe}`])
  })

  test("works for any provider id of this type", async () => {
    const door = { ...passwordProvider(), id: "front-door" }
    const page = (await openClientPages({ providers: [door] })).openPage()
    const result = await page.signIn("front-door", { ...withoutRedirect, ...validCredentials })
    expect(result.kind).toBe("signed-in")
  })

  test("returns the code of a refusal", async () => {
    const app = credentials({
      credentials: { name: {} },
      authorize() {
        throw new Locked()
      },
    })
    const { openPage } = await openClientPages({ providers: [app] })
    expect(await openPage().signIn("credentials", { ...withoutRedirect, name: "ada" })).toEqual({
      ok: false,
      kind: "credentials",
      error: "CredentialsSignin",
      code: "locked",
      status: 200,
      url: null,
      page: `${siteOrigin}/auth/signin?error=CredentialsSignin&code=locked`,
    })
    expect(await openPage().getSession()).toBeNull()
  })

  test("returns a refusal without a code", async () => {
    const page = (await openClientPages()).openPage()
    const result = await page.signIn("credentials", {
      ...withoutRedirect,
      ...validCredentials,
      word: "wrong",
    })
    expect(result).toMatchObject({ kind: "credentials", code: "credentials" })
  })

  test("ignores an error in the query of the callback URL", async () => {
    const page = (await openClientPages({ pages: { signIn: "/login" } })).openPage()
    const redirectTo = "/login?error=CredentialsSignin&code=credentials"
    const wrong = await page.signIn("credentials", {
      ...withoutRedirect,
      word: "wrong",
      redirectTo,
    })
    const right = await page.signIn("credentials", {
      ...withoutRedirect,
      ...validCredentials,
      redirectTo,
    })
    expect(wrong.kind).toBe("credentials")
    expect(right).toMatchObject({ kind: "signed-in", url: siteOrigin + redirectTo })
  })

  test("does not report a sign-in if the `signIn` callback redirects elsewhere", async () => {
    const page = (
      await openClientPages({ callbacks: { signIn: () => "/terms?error=unread" } })
    ).openPage()
    const result = await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    expect(result).toEqual({
      ok: true,
      kind: "redirect",
      status: 200,
      url: `${siteOrigin}/terms?error=unread`,
    })
  })

  test("does not take the session of somebody else for a sign-in that waits for a second factor", async () => {
    const site = await createFactorSite()
    await site.enrol()
    const pages = createClientPages(site.app)
    const page = pages.openPage()
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await pages.testBrowser.signIn(site.provider)
    const result = await page.signIn("credentials", { ...withoutRedirect, ...password })
    const url = `${siteOrigin}${factorPath}`
    expect(result).toMatchObject({ ok: true, kind: "redirect", url })
  })

  test("omits undefined values, and does not send its own options", async () => {
    const received: unknown[] = []
    const app = credentials({
      credentials: { name: {}, age: {}, kind: {}, photo: {}, nothing: {} },
      authorize(fields) {
        received.push(fields)
        return null
      },
    })
    const page = (await openClientPages({ providers: [app] })).openPage()
    const fields = { name: "ada", age: 36, kind: true, photo: new Blob(), nothing: null }
    await page.signIn("credentials", {
      ...withoutRedirect,
      ...fields,
      redirectTo: "/a",
      callbackUrl: "/b",
    })
    const own = { csrfToken: expect.any(String), callbackUrl: "/a" }
    expect(received).toEqual([{ name: "ada", age: "36", kind: "true", ...own }])
  })
})

describe("with a provider", () => {
  test("returns the URL to continue at", async () => {
    const { openPage, provider } = await openClientPages()
    const params = { prompt: "consent", login_hint: "ada@example.com" }
    const result = await openPage().signIn(provider.id, withoutRedirect, params)
    expect(result).toMatchObject({ ok: true, kind: "redirect" })
    const url = new URL(result.url ?? "")
    expect(url.origin).toBe(new URL(provider.issuer).origin)
    expect(url.searchParams.get("prompt")).toBe("consent")
    expect(url.searchParams.get("login_hint")).toBe("ada@example.com")
  })

  test.each(["prompt=login", new URLSearchParams({ prompt: "login" })])(
    "accepts parameters in every form: %s",
    async (params) => {
      const { openPage, provider } = await openClientPages()
      const { url } = await openPage().signIn(provider.id, withoutRedirect, params)
      expect(new URL(url ?? "").searchParams.get("prompt")).toBe("login")
    },
  )

  test.each([undefined, "", "nobody", "constructor", "__proto__"])(
    "that does not exist opens the sign-in page: %j",
    async (id) => {
      const result = await (await openClientPages())
        .openPage()
        .signIn(id, { ...withoutRedirect, redirectTo: "/inbox" })
      const url = `${siteOrigin}/auth/signin?callbackUrl=%2Finbox`
      expect(result).toEqual({ ok: true, kind: "redirect", url })
    },
  )

  test("requests the list of providers once", async () => {
    const { openPage, requests: received, provider } = await openClientPages()
    const page = openPage()
    await page.signIn(provider.id, withoutRedirect)
    await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    expect(received.filter((line) => line.endsWith("/providers"))).toHaveLength(1)
    expect(Object.keys(await page.getProviders())).toEqual(["scripted", "credentials", "email"])
  })
})

test("signIn with a link by e-mail reports that it was sent", async () => {
  const { openPage, links } = await openClientPages()
  const result = await openPage().signIn("email", { ...withoutRedirect, email: "ada@example.com" })
  const request = { provider: "email", email: "ada@example.com" }
  expect(result).toMatchObject({ ok: true, kind: "email-sent", ...request })
  expect(links).toHaveLength(1)
})

describe("with the code of an e-mail", () => {
  const email = "ada@example.com"

  async function requestCode() {
    const codes: string[] = []
    const provider = {
      id: "email",
      name: "Email",
      type: "email" as const,
      sendsCode: true,
      sendVerificationRequest: ({ code = "" }: { code?: string }) => void codes.push(code),
    }
    const { openPage } = await openClientPages({ providers: [provider] })
    const page = openPage()
    const sent = await page.signIn("email", { ...withoutRedirect, email, redirectTo: "/inbox" })
    if (sent.kind !== "email-sent") throw new Error(`No e-mail was sent: ${sent.kind}`)
    return { page, sent, code: codes[0] ?? "", openPage }
  }

  test("submitEmailCode returns the user, and the target of the request", async () => {
    const { page, sent, code } = await requestCode()
    const states: unknown[] = []
    const stop = page.onSessionChange(({ kind }) => states.push(kind))
    const result = await page.submitEmailCode(sent, ` ${code} `)
    stop()
    const user = { email }
    expect(result).toMatchObject({
      kind: "signed-in",
      url: `${siteOrigin}/inbox`,
      session: { user },
    })
    expect(states.at(-1)).toBe("signed-in")
  })

  test("signIn submits it, too, and may lead elsewhere", async () => {
    const { page, code } = await requestCode()
    const result = await page.signIn("email", { ...withoutRedirect, email, code, redirectTo: "/a" })
    expect(result).toMatchObject({ kind: "signed-in", url: `${siteOrigin}/a` })
  })

  test("submitEmailCode returns why the code is refused", async () => {
    const { page, sent, code } = await requestCode()
    const wrongCode = `${(Number(code) + 1) % 1_000_000}`.padStart(6, "0")
    const refusal = { ok: false, kind: "refused", error: "Verification" }
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const result = await page.submitEmailCode(sent, wrongCode)
      expect(result).toMatchObject({ ...refusal, reason: "incorrect", attemptsLeft })
    }
    for (const lateCode of [wrongCode, code]) {
      const result = await page.submitEmailCode(sent, lateCode)
      expect(result).toMatchObject({ ...refusal, reason: "invalid", attemptsLeft: undefined })
    }
    expect(await page.getSession()).toBeNull()
  })
})

describe("a failure", () => {
  const signIn = (visited: ClientPages) =>
    visited.openPage().signIn("credentials", { ...withoutRedirect, ...validCredentials })

  test("that is not the user's fault has its type and the URL of the error page", async () => {
    const visited = await openClientPages({
      callbacks: {
        jwt() {
          throw new Error("broken")
        },
      },
    })
    expect(await signIn(visited)).toMatchObject({
      ok: false,
      kind: "refused",
      error: "Configuration",
      url: null,
      page: `${siteOrigin}/auth/error?error=Configuration`,
    })
  })

  test("for a user who is not allowed to sign in", async () => {
    const visited = await openClientPages({ callbacks: { signIn: () => false } })
    expect(await signIn(visited)).toMatchObject({ kind: "refused", error: "AccessDenied" })
  })

  test("for too many attempts, counted by the application", async () => {
    const visited = await openClientPages({ rateLimit: () => false })
    expect(await signIn(visited)).toMatchObject({
      kind: "rate-limited",
      error: "TooManyRequests",
      page: `${siteOrigin}/auth/signin?error=TooManyRequests`,
      retryAfter: undefined,
    })
  })

  test("for too many attempts, counted by the library", async () => {
    const attemptLimits = { credentials: { identifier: { max: 1, window: 60 } } }
    const app = credentials({ credentials: { name: {} }, authorize: () => null })
    const visited = await openClientPages({ attemptLimits, providers: [app] })
    await signIn(visited)
    expect(await signIn(visited)).toMatchObject({
      kind: "rate-limited",
      page: `${siteOrigin}/auth/signin?error=TooManyRequests`,
      retryAfter: expect.any(Number),
    })
  })

  test.each([
    ["30", 30],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    [null, undefined],
  ])(
    "for too many requests, counted in front of the application: retry after %s",
    async (after, seconds) => {
      const visited = await openClientPages()
      const headers: Record<string, string> = after === null ? {} : { "retry-after": after }
      visited.network = () => new Response("slow down", { status: 429, headers })
      expect(await signIn(visited)).toMatchObject({ kind: "rate-limited", retryAfter: seconds })
    },
  )

  test("because the network is down, at every step", async () => {
    for (const step of ["/providers", "/csrf", "/callback/credentials", "/session"]) {
      const visited = await openClientPages()
      visited.network = ({ url }) => {
        if (new URL(url).pathname.endsWith(step)) throw new TypeError("the network is down")
        return undefined
      }
      const result = await signIn(visited)
      expect([step, result.kind, result.error]).toEqual([step, "offline", "Offline"])
    }
  })

  test("because the server is down", async () => {
    const visited = await openClientPages()
    visited.network = () => new Response("<h1>Bad gateway</h1>", { status: 502 })
    expect(await signIn(visited)).toMatchObject({ kind: "unavailable", status: 502, url: null })
  })

  test("because of another base path", async () => {
    const { openPage } = await openClientPages()
    const page = openPage({ basePath: "/api/auth" })
    expect(await page.signIn("credentials", withoutRedirect)).toMatchObject({
      kind: "unavailable",
      status: 400,
    })
  })

  test.each([{ url: "javascript:alert(1)" }, { url: 7 }, {}, "/inbox", null])(
    "because a response has a URL that browsers must not open: %j",
    async (response) => {
      const visited = await openClientPages()
      visited.network = ({ method }) => (method === "POST" ? Response.json(response) : undefined)
      expect(await signIn(visited)).toMatchObject({ kind: "unavailable", status: 200 })
    },
  )
})
