import type { JWT } from "@latchkey/core/types"
import german from "@latchkey/pages/languages/de"
import english from "@latchkey/pages/languages/en"
import { getRedirectError } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createLinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { createMinimalSite, validCredentials } from "../support/test-site.ts"

const neverResolve = () => new Promise<void>(() => undefined)

/** How long the library waits for tasks on which its response does not depend; shorter here. */
const eventTimeout = 5000
/** How long a request may take. A test sets a shorter time. */
const requestTimeout = 30_000
let shortenedRequestTimeout = requestTimeout

beforeEach(() => {
  const real = globalThis.setTimeout
  shortenedRequestTimeout = requestTimeout
  const durations = () =>
    new Map([
      [eventTimeout, 20],
      [requestTimeout, shortenedRequestTimeout],
    ])
  const impatient = (run: () => void, delay = 0) => real(run, durations().get(delay) ?? delay)
  vi.stubGlobal("setTimeout", Object.assign(impatient, real))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe("an event handler that never finishes", () => {
  test("delays a sign-in and a sign-out, and prevents neither", async () => {
    const events = { signIn: neverResolve, signOut: neverResolve, session: neverResolve }
    const app = await createLinkingApp({ events })
    const alice = app.openBrowser()
    await alice.signIn(app.work)
    expect(await alice.getSession()).not.toBeNull()
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
    expect(app.countRows()).toEqual([1, 1, 0, 0])
    expect(app.log.errorCodes()).toContain("EventError")
  })
})

test("a `jwt` callback that hangs at the end of a sign-in does not end the old session", async () => {
  let hangs = false
  const jwt = async ({ token }: { token: JWT }) => {
    if (hangs) await neverResolve()
    return token
  }
  const { openBrowser } = createMinimalSite({ callbacks: { jwt } })
  const browser = openBrowser()
  await browser.signIn("credentials", validCredentials)
  const csrfToken = await browser.getCsrfToken()
  hangs = true
  shortenedRequestTimeout = 100
  const bob = { ...validCredentials, name: "Bob", csrfToken }
  const response = await browser.post("/auth/callback/credentials", bob)
  expect(getRedirectError(response)).toBe("Configuration")
  hangs = false
  shortenedRequestTimeout = requestTimeout
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
})

test("a sign-in with a `redirect` callback that never returns leads to the start page", async () => {
  const redirect = async () => {
    await neverResolve()
    return "/elsewhere"
  }
  const { log, openBrowser } = createMinimalSite({ callbacks: { redirect } })
  const browser = openBrowser()
  const response = await browser.signIn("credentials", validCredentials)
  expect(response.headers.get("location")).toBe("https://app.example")
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  expect(String(log.lines)).toContain("The `redirect` callback did not return")
})

test.each([
  ["signin", 200],
  ["unknown", 404],
])("a `language` function that never returns delays the page %s", async (path, status) => {
  const language = async () => {
    await neverResolve()
    return "de"
  }
  const app = createTestApp({ language, languages: [english, german] })
  const headers = { accept: "text/html" }
  const request = new Request(`https://app.example/auth/${path}`, { headers })
  const response = await app.handle(request)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain('<html lang="en"')
  expect(app.log.toText()).toContain("The `language` function did not return")
})

test("a database that hangs while the old session is deleted does not delay the new one", async () => {
  const { adapter } = await createTestDatabase()
  let hangs = false
  const app = await createLinkingApp({
    adapter: {
      ...adapter,
      deleteSession: async (token) => {
        if (hangs) await neverResolve()
        await adapter.deleteSession(token)
        return null
      },
    },
  })
  const alice = app.openBrowser()
  await alice.signIn(app.work)
  const before = alice.cookies.get("__Secure-authjs.session-token")?.value
  hangs = true
  await alice.signIn(app.work)
  expect(alice.cookies.get("__Secure-authjs.session-token")?.value).not.toBe(before)
  expect(await alice.getSession()).not.toBeNull()
  expect(app.log.errorCodes()).toContain("SessionTokenError")
})

test("a database that never responds times out after 30 seconds, and signs nobody out", async () => {
  const { adapter } = await createTestDatabase()
  let hangs = false
  const app = await createLinkingApp({
    adapter: {
      ...adapter,
      async getSessionAndUser(token) {
        if (hangs) await neverResolve()
        return adapter.getSessionAndUser(token)
      },
    },
  })
  const alice = app.openBrowser()
  await alice.signIn(app.work)
  const before = alice.cookies.get("__Secure-authjs.session-token")
  hangs = true
  shortenedRequestTimeout = 100
  const response = await alice.open("/auth/session")
  expect(response.status).toBe(503)
  expect(alice.cookies.get("__Secure-authjs.session-token")).toEqual(before)
  expect(app.log.toText()).toContain("to finish within 30 s")
  hangs = false
  shortenedRequestTimeout = requestTimeout
  expect(await alice.getSession()).not.toBeNull()
})

test("the error page does not redirect to itself if a database hangs", async () => {
  const { adapter } = await createTestDatabase()
  const app = await createLinkingApp({
    adapter: { ...adapter, getSessionAndUser: async () => (await neverResolve()) ?? null },
  })
  shortenedRequestTimeout = 100
  // With two sessions, of which a sub-domain may have set one, the token of a form depends on the database.
  const cookie = "__Secure-authjs.session-token=a; __Secure-authjs.session-token=b"
  const url = "https://app.example/auth/error?error=Configuration&reason=unavailable&provider=work"
  const response = await app.handle(new Request(url, { headers: { cookie } }))
  expect(response.status).toBe(503)
  expect(response.headers.get("retry-after")).toBe("30")
  expect(await response.text()).toContain('href="https://app.example/auth/signin"')
})
