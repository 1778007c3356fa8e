/** `getSession`, `updateSession` and `sessionState` of the client: an outage is not a sign-out. */
import { ClientError } from "@latchkey/client"
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createTestSite,
  type TestSiteConfig,
  validCredentials,
} from "../../core/test/support/test-site.ts"
import { createClientPages } from "./support/client-pages.ts"

async function openClientPages(changes: Partial<TestSiteConfig> = {}) {
  const { app, config } = await createTestSite(changes)
  return Object.assign(createClientPages(app), { config })
}

async function openSignedInPages(changes: Partial<TestSiteConfig> = {}) {
  const visited = await openClientPages(changes)
  await visited.testBrowser.signIn("credentials", validCredentials)
  return visited
}

/** The reason why a call was refused. */
const catchRefusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof ClientError ? error.failure : error),
  )

/** The response when the database is down. */
const createOutageResponse = () =>
  Response.json({ message: "The session is unavailable." }, { status: 503 })

describe("getSession", () => {
  test("returns null if nobody is signed in, and else the session", async () => {
    const { openPage, testBrowser: browser } = await openClientPages()
    const page = openPage()
    expect(await page.getSession()).toBeNull()
    await browser.signIn("credentials", validCredentials)
    expect(await page.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("sends one request for concurrent calls, and a new one for the next call", async () => {
    const { openPage, requests: received } = await openSignedInPages()
    const page = openPage()
    received.length = 0
    const sessions = await Promise.all([page.getSession(), page.getSession(), page.getSession()])
    expect(new Set(sessions.map((session) => session?.user?.name))).toEqual(new Set(["Ada"]))
    expect(received).toEqual(["GET /auth/session"])
    await page.getSession()
    expect(received).toHaveLength(2)
  })

  test("returns null for an empty object", async () => {
    const visited = await openClientPages()
    visited.network = () => Response.json({})
    expect(await visited.openPage().getSession()).toBeNull()
  })

  test("does not use a response from before a sign-in", async () => {
    const visited = await openClientPages()
    const page = visited.openPage()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let first = true
    visited.network = async ({ url }) => {
      if (!first || !url.endsWith("/session")) return undefined
      first = false
      await held
      return Response.json(null)
    }
    const early = page.getSession()
    await page.signIn("credentials", { redirect: false, ...validCredentials })
    release()
    expect(await early).toMatchObject({ user: { name: "Ada" } })
    expect(page.sessionState()).toMatchObject({ kind: "signed-in" })
  })
})

describe("while the session cannot be checked", () => {
  test.each([
    ["the network is down", "down" as const, { kind: "offline", status: 0 }],
    ["the database is down", createOutageResponse, { kind: "unavailable", status: 503 }],
    [
      "the response is a page",
      () => new Response("<p>Hello"),
      { kind: "unavailable", status: 200 },
    ],
    [
      "there are too many requests",
      () => new Response("", { status: 429 }),
      { kind: "rate-limited", status: 429 },
    ],
  ])("does not report a sign-out if the state was unknown: %s", async (_, network, failure) => {
    const visited = await openSignedInPages()
    const page = visited.openPage()
    visited.network = network
    expect(await catchRefusal(page.getSession())).toMatchObject(failure)
    expect(page.sessionState()).toMatchObject({ kind: "unavailable", failure })
  })

  test("keeps the last session, marked as stale", async () => {
    const visited = await openSignedInPages()
    const page = visited.openPage()
    const session = await page.getSession()
    for (const network of ["down" as const, createOutageResponse]) {
      visited.network = network
      expect(await page.getSession()).toEqual(session)
      expect(page.sessionState()).toEqual({ kind: "signed-in", session, stale: true })
    }
    visited.network = "up"
    await page.getSession()
    expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
  })

  test("does not keep the last session after its expiry", async () => {
    const visited = await openSignedInPages()
    const page = visited.openPage()
    const expires = Date.parse((await page.getSession())?.expires ?? "")
    visited.network = "down"
    await withFrozenTime(expires - 1, () => page.getSession())
    const late = () => catchRefusal(page.getSession())
    expect(await withFrozenTime(expires + 1, late)).toMatchObject({ kind: "offline" })
  })

  test("keeps the signed-out state, marked as stale", async () => {
    const visited = await openClientPages()
    const page = visited.openPage()
    await page.getSession()
    visited.network = "down"
    expect(await page.getSession()).toBeNull()
    expect(page.sessionState()).toEqual({ kind: "signed-out", stale: true })
  })

  test("nobody is reported as signed out after a sign-in", async () => {
    const visited = await openClientPages()
    const page = visited.openPage()
    await page.getSession()
    visited.network = ({ url }) => (url.endsWith("/session") ? createOutageResponse() : undefined)
    const result = await page.signIn("credentials", { redirect: false, ...validCredentials })
    expect(result).toMatchObject({ ok: false, kind: "unavailable", status: 503 })
    expect(page.sessionState().kind).toBe("unavailable")
  })

  test("the error names the request and suggests a fix", async () => {
    const visited = await openClientPages()
    visited.network = () => new Response("", { status: 404 })
    const error: unknown = await visited
      .openPage()
      .getSession()
      .catch((thrown: unknown) => thrown)
    expect(String(error)).toBe("ClientError: /session: Unavailable, status 404: check `basePath`")
  })
})

describe("sessionState", () => {
  test("is unknown until the first request, and the same object until it changes", async () => {
    const { openPage, testBrowser: browser } = await openClientPages()
    const page = openPage()
    expect(page.sessionState()).toEqual({ kind: "unknown" })
    await page.getSession()
    const state = page.sessionState()
    await page.getSession()
    expect(page.sessionState()).toBe(state)
    await browser.signIn("credentials", validCredentials)
    await page.getSession()
    expect(page.sessionState()).not.toBe(state)
  })
})

describe("updateSession", () => {
  const callbacks: TestSiteConfig["callbacks"] = {
    jwt: ({ token, session }) => (session === undefined ? token : { ...token, name: session.name }),
  }

  test("passes the data to the application, and returns the new session", async () => {
    const { openPage, requests: received } = await openSignedInPages({ callbacks })
    const page = openPage()
    received.length = 0
    const session = await page.updateSession({ name: "Countess" })
    expect(received).toEqual(["GET /auth/csrf", "POST /auth/session"])
    expect(session).toMatchObject({ user: { name: "Countess" } })
    expect(page.sessionState()).toMatchObject({ session: { user: { name: "Countess" } } })
    expect(await openPage().getSession()).toMatchObject({ user: { name: "Countess" } })
  })

  test("returns null if nobody is signed in", async () => {
    expect(
      await (await openClientPages({ callbacks })).openPage().updateSession({ name: "x" }),
    ).toBeNull()
  })

  test("renews an invalid CSRF token once", async () => {
    const visited = await openSignedInPages({ callbacks })
    let times = 0
    visited.network = ({ url, method }) => {
      if (method !== "POST") return undefined
      times += 1
      expect(url).toContain("/auth/session")
      return times === 1 ? Response.json(null, { status: 400 }) : undefined
    }
    expect(await visited.openPage().updateSession({ name: "Countess" })).not.toBeNull()
    times = 0
    visited.network = ({ method }) => {
      if (method !== "POST") return undefined
      times += 1
      return Response.json(null, { status: 400 })
    }
    const failure = await catchRefusal(visited.openPage().updateSession({ name: "x" }))
    expect([failure, times]).toMatchObject([{ kind: "refused", error: "MissingCSRF" }, 2])
  })

  test("rejects if it fails, and keeps the known state", async () => {
    const visited = await openSignedInPages({
      callbacks: {
        jwt({ token, session }) {
          if (session) throw new Error("broken")
          return token
        },
      },
    })
    const page = visited.openPage()
    await page.getSession()
    const failure = await catchRefusal(page.updateSession({ name: "x" }))
    expect(failure).toMatchObject({ kind: "unavailable", status: 503 })
    expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
  })
})
