import { AuthError, getSession, updateSession } from "@latchkey/qwik"
import { describe, expect, test, vi } from "vitest"
import { openTestApplication, type PageData, type QwikEvent } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const aliceFields = {
  providerId: "credentials",
  "options.user": alice.user,
  "options.password": alice.password,
}

type TestEvent = QwikEvent & {
  json(status: number, data: unknown): void
  redirect(status: number, url: string): unknown
}

const sendSession = async (event: TestEvent) => event.json(200, (await getSession(event)).data)

test("is available in pages, and in endpoints by `getSession`", async () => {
  const {
    signIn,
    shown,
    visitor: user,
  } = openTestApplication({
    config: createConfig(),
    routes: { "/who": { onGet: sendSession } },
  })
  expect(await shown()).toMatchObject({ session: null })
  expect(await (await user.open("/who")).json()).toBeNull()
  await signIn(aliceFields)
  expect(await shown()).toMatchObject({ session: { user: { name: "alice" } } })
  expect(await (await user.open("/who")).json()).toMatchObject({ user: { name: "alice" } })
})

test("is read once per request, and not without a cookie", async () => {
  const session = vi.fn(({ session }) => session)
  const config = createConfig({ callbacks: { session } })
  const requireSession = async (event: TestEvent) => {
    const { data } = await getSession(event, config)
    if (!data) throw event.redirect(303, "/signin")
  }
  const { signIn, visitor: user } = openTestApplication({
    config,
    routes: {
      "/members": { onRequest: requireSession, default: () => undefined },
      "/plain": { onGet: (event: TestEvent) => event.json(200, "plain") },
    },
  })
  await user.open("/plain")
  expect(session).not.toHaveBeenCalled()
  const signedOutResponse = await user.open("/members")
  expect(signedOutResponse.headers.get("location")).toBe("/signin")
  await signIn(aliceFields)
  session.mockClear()
  const page = (await (await user.open("/members")).json()) as PageData
  expect(page).toMatchObject({ session: { user: { name: "alice" } } })
  expect(session).toHaveBeenCalledTimes(1)
})

test("is not written into a page with its cookie, if a loader returns all of it", async () => {
  const sendAll = async (event: TestEvent) => event.json(200, await getSession(event))
  const { signIn, visitor: user } = openTestApplication({
    config: createConfig({ session: { updateAge: 0 } }),
    routes: { "/all": { onGet: sendAll } },
  })
  await signIn(aliceFields)
  const response = await user.open("/all")
  expect(response.headers.getSetCookie().join()).toContain("session-token")
  const returned = await response.json()
  expect(Object.keys(returned as object)).toEqual(["data"])
  expect(returned).toMatchObject({ data: { user: { name: "alice" } } })
})

test("is sent to the browser when it was renewed, and returned with its `Set-Cookie` lines", async () => {
  const config = createConfig({ session: { updateAge: 0 } })
  const lines: string[][] = []
  const sendSessionCookies = async (event: TestEvent) => {
    event.headers.set("cache-control", "public, max-age=600")
    const { cookie } = await getSession(event)
    lines.push(cookie)
    event.json(200, null)
  }
  const { signIn, visitor: user } = openTestApplication({
    config,
    routes: { "/keep": { onGet: sendSessionCookies } },
  })
  await signIn(aliceFields)
  const response = await user.open("/keep")
  const [line = ""] = lines.at(-1) ?? []
  expect(line).toMatch(/^authjs\.session-token=/)
  expect(response.headers.getSetCookie()).toContain(line)
  // A shared cache could send the cookie to other users.
  expect(response.headers.get("cache-control")).toBe("private, no-store")
})

describe('`event.sharedMap.get("session")`', () => {
  type SharedSession = { user?: { name?: string }; expires: string } | null

  /** A guard as the documentation of Auth.js shows it. */
  const guard = (event: TestEvent) => {
    const session = event.sharedMap.get("session") as SharedSession
    if (!session || new Date(session.expires) < new Date()) throw event.redirect(302, "/signin")
  }
  const sendShared = (event: TestEvent) => event.json(200, event.sharedMap.get("session") ?? null)

  test("is the session, and null when nobody is signed in", async () => {
    const { signIn, visitor: user } = openTestApplication({
      config: createConfig(),
      routes: {
        "/members": { onRequest: guard, onGet: sendShared },
        "/who": { onGet: sendShared },
      },
    })
    expect((await user.open("/members")).headers.get("location")).toBe("/signin")
    expect(await (await user.open("/who")).json()).toBeNull()
    await signIn(aliceFields)
    expect(await (await user.open("/members")).json()).toMatchObject({
      user: { name: "alice", email: "alice@example.com" },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  test("is null if the session could not be checked, which only `getSession` reports", async () => {
    let isDown = false
    const config = createConfig({
      callbacks: {
        jwt({ token }) {
          if (isDown) throw new Error("no database")
          return token
        },
      },
    })
    const errors: unknown[] = []
    const catchError = (event: TestEvent) =>
      getSession(event)
        .catch((error) => errors.push(error))
        .then(() => sendShared(event))
    const { signIn, visitor: user } = openTestApplication({
      config,
      routes: {
        "/members": { onRequest: guard, onGet: sendShared },
        "/who": { onGet: catchError },
      },
    })
    await signIn(aliceFields)
    isDown = true
    expect((await user.open("/members")).headers.get("location")).toBe("/signin")
    expect(await (await user.open("/who")).json()).toBeNull()
    expect(errors).toEqual([expect.any(AuthError)])
  })

  test("is the new session after `updateSession`", async () => {
    const rename = async (event: TestEvent) => {
      await updateSession(event, { name: "Lis" })
      sendShared(event)
    }
    const { signIn, visitor: user } = openTestApplication({
      config: createConfig(),
      routes: { "/rename": { onPost: rename } },
    })
    await signIn(aliceFields)
    const shared = await (await user.post("/rename", {})).json()
    expect(shared).toMatchObject({ user: { name: "Lis" } })
  })

  test("a page that a cache may store never has a renewed session cookie", async () => {
    const cache = (event: TestEvent) => {
      event.headers.set("cache-control", "public, max-age=600")
      event.headers.append("CDN-Cache-Control", "max-age=600")
      event.json(200, null)
    }
    const { signIn, visitor: user } = openTestApplication({
      config: createConfig({ session: { updateAge: 0 } }),
      routes: { "/news": { onGet: cache } },
    })
    const anonymous = await user.open("/news")
    expect(anonymous.headers.get("cache-control")).toBe("public, max-age=600")
    await signIn(aliceFields)
    const { headers } = await user.open("/news")
    expect(headers.get("set-cookie")).toContain("session-token")
    expect(headers.get("cache-control")).toBe("private, no-store")
    expect(headers.get("cdn-cache-control")).toBe("private, no-store")
  })
})

describe("updateSession", () => {
  const renameUser = async (event: TestEvent) => {
    const session = await updateSession(event, { name: "Lis" })
    event.json(200, { session, again: (await getSession(event)).data })
  }

  test("changes the session, also for the rest of the request", async () => {
    const {
      signIn,
      shown,
      visitor: user,
    } = openTestApplication({
      config: createConfig(),
      routes: { "/rename": { onPost: renameUser } },
    })
    await signIn(aliceFields)
    const updateResult = await (await user.post("/rename", {})).json()
    expect(updateResult).toMatchObject({
      session: { user: { name: "Lis" } },
      again: { user: { name: "Lis" } },
    })
    expect(await shown()).toMatchObject({ session: { user: { name: "Lis" } } })
  })

  test("keeps two changes in a request, even if a read began before", async () => {
    const config = createConfig({
      session: { updateAge: 0 },
      callbacks: {
        jwt: async ({ token, trigger, session }) => {
          if (trigger !== "update") await new Promise((resolve) => setTimeout(resolve, 20))
          return { ...token, ...session }
        },
        session: ({ session, token }) => ({ ...session, color: token["color"], name: token.name }),
      },
    })
    const updateTwice = async (event: TestEvent) => {
      const earlySession = getSession(event)
      await updateSession(event, { name: "Lis" })
      await updateSession(event, { color: "red" })
      await earlySession
      event.json(200, null)
    }
    const { signIn, visitor: user } = openTestApplication({
      config,
      routes: { "/both": { onPost: updateTwice } },
    })
    await signIn(aliceFields)
    await user.post("/both", {})
    expect(await user.getSession()).toMatchObject({ name: "Lis", color: "red" })
  })

  test("returns null if nobody is signed in, and refuses other sites", async () => {
    const options = { config: createConfig(), routes: { "/rename": { onPost: renameUser } } }
    const { visitor: user } = openTestApplication(options)
    expect(await (await user.post("/rename", {})).json()).toEqual({ session: null, again: null })
    const uncheckedApp = openTestApplication({ ...options, checkOrigin: false })
    const response = await uncheckedApp.visitor.post(
      "/rename",
      {},
      { from: "https://evil.example" },
    )
    expect(response.status).toBe(500)
    await response.text()
    await vi.waitFor(
      () => expect(uncheckedApp.failures).toMatchObject([{ type: "MissingCSRF" }]),
      10_000,
    )
  })
})

test("an unavailable session is an error: the page responds with 503", async () => {
  const config = createConfig({
    callbacks: {
      session() {
        throw new Error("the database is gone")
      },
    },
  })
  const {
    signIn,
    visitor: user,
    failures,
  } = openTestApplication({ config, routes: { "/who": { onGet: sendSession } } })
  await signIn(aliceFields)
  expect((await user.open("/")).status).toBe(503)
  const response = await user.open("/who")
  expect(response.status).toBe(500)
  await response.text()
  await vi.waitFor(() => expect(failures.at(-1)).toBeInstanceOf(AuthError), 10_000)
})

test("sends changes of the `jwt` callback if the `session` callback fails", async () => {
  let generation = 0
  const config = createConfig({
    callbacks: {
      jwt: ({ token }) => ({ ...token, generation: ++generation }),
      session() {
        throw new Error("the database is gone")
      },
    },
  })
  const { signIn, visitor: user } = openTestApplication({
    config,
    routes: { "/who": { onGet: sendSession } },
  })
  await signIn(aliceFields)
  const response = await user.open("/")
  expect(response.status).toBe(503)
  expect(user.setCookieHeaders.join()).toMatch("authjs.session-token=")
  expect(response.headers.get("cache-control")).toBe("private, no-store")
})

test("deletes all cookies of a session that grew during the request", async () => {
  const noise = "x".repeat(5000)
  const config = createConfig({
    session: { updateAge: 0 },
    callbacks: { jwt: ({ token, trigger }) => (trigger ? token : { ...token, noise }) },
  })
  const readingRoute = { onRequest: async (event: TestEvent) => void (await getSession(event)) }
  const {
    signIn,
    signOutId,
    visitor: user,
  } = openTestApplication({
    config,
    routes: { "/page": { ...readingRoute, default: () => undefined } },
  })
  await signIn(aliceFields)
  await user.post(`/page?qaction=${signOutId}`, {})
  expect(user.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
})
