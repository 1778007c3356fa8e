import { AuthError, getSession, updateSession } from "@latchkey/qwik"
import { describe, expect, test, vi } from "vitest"
import { type AuthEvent, type Shown, visitorOf } from "./support/app.ts"
import { alice, configOf } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const asAlice = {
  providerId: "credentials",
  "options.user": alice.user,
  "options.password": alice.password,
}

type Event = AuthEvent & {
  json(status: number, data: unknown): void
  redirect(status: number, url: string): unknown
}

const onGet = async (event: Event) => event.json(200, (await getSession(event)).data)

test("is told to pages, and to endpoints by `getSession`", async () => {
  const { signIn, shown, visitor } = visitorOf({
    config: configOf(),
    routes: { "/who": { onGet } },
  })
  expect(await shown()).toMatchObject({ session: null })
  expect(await (await visitor.open("/who")).json()).toBeNull()
  await signIn(asAlice)
  expect(await shown()).toMatchObject({ session: { user: { name: "alice" } } })
  expect(await (await visitor.open("/who")).json()).toMatchObject({ user: { name: "alice" } })
})

test("is looked up where something asks, and once a request", async () => {
  const session = vi.fn(({ session }) => session)
  const config = configOf({ callbacks: { session } })
  const guard = async (event: Event) => {
    const { data } = await getSession(event, config)
    if (!data) throw event.redirect(303, "/signin")
  }
  const { signIn, visitor } = visitorOf({
    config,
    routes: {
      "/members": { onRequest: guard, default: () => undefined },
      "/plain": { onGet: (event: Event) => event.json(200, "plain") },
    },
  })
  const strangers = await visitor.open("/members")
  expect(strangers.headers.get("location")).toBe("/signin")
  await signIn(asAlice)
  session.mockClear()
  await visitor.open("/plain")
  expect(session).not.toHaveBeenCalled()
  const page = (await (await visitor.open("/members")).json()) as Shown
  expect(page).toMatchObject({ session: { user: { name: "alice" } } })
  expect(session).toHaveBeenCalledTimes(1)
})

test("goes back to the browser when it was prolonged, and is told with the lines", async () => {
  const config = configOf({ session: { updateAge: 0 } })
  const lines: string[][] = []
  const keep = async (event: Event) => {
    event.headers.set("cache-control", "public, max-age=600")
    const { cookie } = await getSession(event)
    lines.push(cookie)
    event.json(200, null)
  }
  const { signIn, visitor } = visitorOf({ config, routes: { "/keep": { onGet: keep } } })
  await signIn(asAlice)
  const answer = await visitor.open("/keep")
  const [line = ""] = lines.at(-1) ?? []
  expect(line).toMatch(/^authjs\.session-token=/)
  expect(answer.headers.getSetCookie()).toContain(line)
  // 131: a cache that kept it would give it to others.
  expect(answer.headers.get("cache-control")).toBe("private, no-store")
})

describe("updateSession", () => {
  const rename = async (event: Event) => {
    const session = await updateSession(event, { name: "Lis" })
    event.json(200, { session, again: (await getSession(event)).data })
  }

  test("changes it, for the same request, too", async () => {
    const { signIn, shown, visitor } = visitorOf({
      config: configOf(),
      routes: { "/rename": { onPost: rename } },
    })
    await signIn(asAlice)
    const told = await (await visitor.post("/rename", {})).json()
    expect(told).toMatchObject({
      session: { user: { name: "Lis" } },
      again: { user: { name: "Lis" } },
    })
    expect(await shown()).toMatchObject({ session: { user: { name: "Lis" } } })
  })

  test("twice in a request changes both, and a look-up that began before undoes neither", async () => {
    const config = configOf({
      session: { updateAge: 0 },
      callbacks: {
        jwt: async ({ token, trigger, session }) => {
          if (trigger !== "update") await new Promise((resolve) => setTimeout(resolve, 20))
          return { ...token, ...session }
        },
        session: ({ session, token }) => ({ ...session, color: token["color"], name: token.name }),
      },
    })
    const both = async (event: Event) => {
      const early = getSession(event)
      await updateSession(event, { name: "Lis" })
      await updateSession(event, { color: "red" })
      await early
      event.json(200, null)
    }
    const { signIn, visitor } = visitorOf({ config, routes: { "/both": { onPost: both } } })
    await signIn(asAlice)
    await visitor.post("/both", {})
    expect(await visitor.session()).toMatchObject({ name: "Lis", color: "red" })
  })

  test("is null for nobody, and refused to other sites", async () => {
    const options = { config: configOf(), routes: { "/rename": { onPost: rename } } }
    const { visitor } = visitorOf(options)
    expect(await (await visitor.post("/rename", {})).json()).toEqual({ session: null, again: null })
    const open = visitorOf({ ...options, checkOrigin: false })
    const answer = await open.visitor.post("/rename", {}, { from: "https://evil.example" })
    expect(answer.status).toBe(500)
    await answer.text()
    await vi.waitFor(() => expect(open.failures).toMatchObject([{ type: "MissingCSRF" }]))
  })
})

test("one that cannot be checked is not nobody: the page answers 503", async () => {
  const config = configOf({
    callbacks: {
      session() {
        throw new Error("the database is gone")
      },
    },
  })
  const { signIn, visitor, failures } = visitorOf({ config, routes: { "/who": { onGet } } })
  await signIn(asAlice)
  expect((await visitor.open("/")).status).toBe(503)
  const answer = await visitor.open("/who")
  expect(answer.status).toBe(500)
  await answer.text()
  await vi.waitFor(() => expect(failures.at(-1)).toBeInstanceOf(AuthError))
})

test("sends what the `jwt` callback changed with the fault of the other callback", async () => {
  let generation = 0
  const config = configOf({
    callbacks: {
      jwt: ({ token }) => ({ ...token, generation: ++generation }),
      session() {
        throw new Error("the database is gone")
      },
    },
  })
  const { signIn, visitor } = visitorOf({ config, routes: { "/who": { onGet } } })
  await signIn(asAlice)
  const answer = await visitor.open("/")
  expect(answer.status).toBe(503)
  expect(visitor.setCookies.join()).toMatch("authjs.session-token=")
  expect(answer.headers.get("cache-control")).toBe("private, no-store")
})

test("that grew on the way leaves nothing behind when it ends", async () => {
  const noise = "x".repeat(5000)
  const config = configOf({
    session: { updateAge: 0 },
    callbacks: { jwt: ({ token, trigger }) => (trigger ? token : { ...token, noise }) },
  })
  const look = { onRequest: async (event: Event) => void (await getSession(event)) }
  const { signIn, signOutId, visitor } = visitorOf({
    config,
    routes: { "/page": { ...look, default: () => undefined } },
  })
  await signIn(asAlice)
  await visitor.post(`/page?qaction=${signOutId}`, {})
  expect(visitor.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
})
