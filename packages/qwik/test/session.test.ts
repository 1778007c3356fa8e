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

test("is read on demand, once per request", async () => {
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
  const signedOutResponse = await user.open("/members")
  expect(signedOutResponse.headers.get("location")).toBe("/signin")
  await signIn(aliceFields)
  session.mockClear()
  await user.open("/plain")
  expect(session).not.toHaveBeenCalled()
  const page = (await (await user.open("/members")).json()) as PageData
  expect(page).toMatchObject({ session: { user: { name: "alice" } } })
  expect(session).toHaveBeenCalledTimes(1)
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
    await vi.waitFor(() => expect(uncheckedApp.failures).toMatchObject([{ type: "MissingCSRF" }]))
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
  await vi.waitFor(() => expect(failures.at(-1)).toBeInstanceOf(AuthError))
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
