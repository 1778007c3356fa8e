import { getRedirectError } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { bob, createLinkingApp } from "../support/linking-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

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

test("a `redirect` callback that hangs at the end of a sign-in does not end the old session", async () => {
  let hangs = false
  const redirect = async ({ url }: { url: string }) => {
    if (hangs) await neverResolve()
    return url
  }
  const app = await createLinkingApp({ callbacks: { redirect } })
  app.club.setUser(bob)
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  const response = app.club.approve(await browser.startSignIn(app.club))
  hangs = true
  shortenedRequestTimeout = 100
  expect(getRedirectError(await browser.open(response))).toBe("Configuration")
  hangs = false
  shortenedRequestTimeout = requestTimeout
  expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
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
