/** `getSession`, `updateSession` and `sessionState` of the client: an outage is not a sign-out. */
import { ClientError } from "@latchkey/core/client"
import { withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { rightWord, type SiteConfig, site } from "../support/front-door.ts"
import { pages } from "../support/pages.ts"

async function visit(changes: Partial<SiteConfig> = {}) {
  const { app, config } = await site(changes)
  return Object.assign(pages(app), { config })
}

async function signedIn(changes: Partial<SiteConfig> = {}) {
  const visited = await visit(changes)
  await visited.who.signIn("credentials", rightWord)
  return visited
}

/** What a call was refused with. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof ClientError ? error.failure : error),
  )

/** What a database that is down comes to. */
const outage = () => Response.json({ message: "The session is unavailable." }, { status: 503 })

describe("getSession", () => {
  test("is null for nobody, and the session for somebody", async () => {
    const { open, who } = await visit()
    const page = open()
    expect(await page.getSession()).toBeNull()
    await who.signIn("credentials", rightWord)
    expect(await page.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("asks once for calls at the same time, and anew for the next one", async () => {
    const { open, asked } = await signedIn()
    const page = open()
    asked.length = 0
    const sessions = await Promise.all([page.getSession(), page.getSession(), page.getSession()])
    expect(new Set(sessions.map((session) => session?.user?.name))).toEqual(new Set(["Ada"]))
    expect(asked).toEqual(["GET /auth/session"])
    await page.getSession()
    expect(asked).toHaveLength(2)
  })

  test("takes an empty object for nobody", async () => {
    const visited = await visit()
    visited.network = () => Response.json({})
    expect(await visited.open().getSession()).toBeNull()
  })

  test("does not take an answer of before a sign-in for one of after it", async () => {
    const visited = await visit()
    const page = visited.open()
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
    await page.signIn("credentials", { redirect: false, ...rightWord })
    release()
    expect(await early).toMatchObject({ user: { name: "Ada" } })
    expect(page.sessionState()).toMatchObject({ kind: "signed-in" })
  })
})

describe("while the session cannot be checked", () => {
  test.each([
    ["the network is down", "down" as const, { kind: "offline" }],
    ["the store is down", outage, { kind: "unavailable", status: 503 }],
    ["a page comes back", () => new Response("<p>Hello"), { kind: "unavailable", status: 200 }],
    [
      "there are too many requests",
      () => new Response("", { status: 429 }),
      { kind: "rate-limited" },
    ],
  ])("nobody is told to be signed out when nothing is known: %s", async (_, network, failure) => {
    const visited = await signedIn()
    const page = visited.open()
    visited.network = network
    expect(await refusalOf(page.getSession())).toMatchObject(failure)
    expect(page.sessionState()).toMatchObject({ kind: "unavailable", failure })
  })

  test("the last session is kept, and marked", async () => {
    const visited = await signedIn()
    const page = visited.open()
    const session = await page.getSession()
    for (const network of ["down" as const, outage]) {
      visited.network = network
      expect(await page.getSession()).toEqual(session)
      expect(page.sessionState()).toEqual({ kind: "signed-in", session, stale: true })
    }
    visited.network = "up"
    await page.getSession()
    expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
  })

  test("the last session is kept no longer than it lasts", async () => {
    const visited = await signedIn()
    const page = visited.open()
    const expires = Date.parse((await page.getSession())?.expires ?? "")
    visited.network = "down"
    await withClock(expires - 1, () => page.getSession())
    const late = () => refusalOf(page.getSession())
    expect(await withClock(expires + 1, late)).toMatchObject({ kind: "offline" })
  })

  test("that nobody was signed in is kept, and marked", async () => {
    const visited = await visit()
    const page = visited.open()
    await page.getSession()
    visited.network = "down"
    expect(await page.getSession()).toBeNull()
    expect(page.sessionState()).toEqual({ kind: "signed-out", stale: true })
  })

  test("a sign-in makes nobody believe that nobody is signed in", async () => {
    const visited = await visit()
    const page = visited.open()
    await page.getSession()
    visited.network = ({ url }) => (url.endsWith("/session") ? outage() : undefined)
    const result = await page.signIn("credentials", { redirect: false, ...rightWord })
    expect(result).toMatchObject({ ok: false, kind: "unavailable", status: 503 })
    expect(page.sessionState().kind).toBe("unavailable")
  })

  test("the error says what was asked, and what to look at", async () => {
    const visited = await visit()
    visited.network = () => new Response("", { status: 404 })
    const error: unknown = await visited
      .open()
      .getSession()
      .catch((thrown: unknown) => thrown)
    expect(String(error)).toBe(
      "ClientError: /session: Unavailable, status 404. Is `basePath` right?",
    )
  })
})

describe("sessionState", () => {
  test("is unknown until somebody asks, and the same object until it changes", async () => {
    const { open, who } = await visit()
    const page = open()
    expect(page.sessionState()).toEqual({ kind: "unknown" })
    await page.getSession()
    const state = page.sessionState()
    await page.getSession()
    expect(page.sessionState()).toBe(state)
    await who.signIn("credentials", rightWord)
    await page.getSession()
    expect(page.sessionState()).not.toBe(state)
  })
})

describe("updateSession", () => {
  const callbacks: SiteConfig["callbacks"] = {
    jwt: ({ token, session }) => (session === undefined ? token : { ...token, name: session.name }),
  }

  test("hands the data to the application, and returns the new session", async () => {
    const { open, asked } = await signedIn({ callbacks })
    const page = open()
    asked.length = 0
    const session = await page.updateSession({ name: "Countess" })
    expect(asked).toEqual(["GET /auth/csrf", "POST /auth/session"])
    expect(session).toMatchObject({ user: { name: "Countess" } })
    expect(page.sessionState()).toMatchObject({ session: { user: { name: "Countess" } } })
    expect(await open().getSession()).toMatchObject({ user: { name: "Countess" } })
  })

  test("is null for nobody", async () => {
    expect(await (await visit({ callbacks })).open().updateSession({ name: "x" })).toBeNull()
  })

  test("renews a token that is none any more, once", async () => {
    const visited = await signedIn({ callbacks })
    let times = 0
    visited.network = ({ url, method }) => {
      if (method !== "POST") return undefined
      times += 1
      expect(url).toContain("/auth/session")
      return times === 1 ? Response.json(null, { status: 400 }) : undefined
    }
    expect(await visited.open().updateSession({ name: "Countess" })).not.toBeNull()
    times = 0
    visited.network = ({ method }) => {
      if (method !== "POST") return undefined
      times += 1
      return Response.json(null, { status: 400 })
    }
    const failure = await refusalOf(visited.open().updateSession({ name: "x" }))
    expect([failure, times]).toMatchObject([{ kind: "refused", error: "MissingCSRF" }, 2])
  })

  test("rejects when it cannot be done, and changes nothing that is known", async () => {
    const visited = await signedIn({
      callbacks: {
        jwt({ token, session }) {
          if (session) throw new Error("broken")
          return token
        },
      },
    })
    const page = visited.open()
    await page.getSession()
    const failure = await refusalOf(page.updateSession({ name: "x" }))
    expect(failure).toMatchObject({ kind: "unavailable", status: 503 })
    expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
  })
})
