import type { JWT } from "@latchkey/core/types"
import { describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
} from "../support/password-app.ts"

type JwtParams = { token: JWT; trigger?: string; session?: unknown }
type SessionParams = { session: { user?: object; expires: string }; [name: string]: unknown }

/** Mocked callbacks: `jwt` stores a `title` in the token, and `session` returns it. */
function createCallbackSpies() {
  const jwt = vi.fn(({ token, trigger, session }: JwtParams) => {
    if (trigger !== "update" || typeof session !== "object" || session === null) return token
    return { ...token, title: (session as Record<string, unknown>)["title"] }
  })
  const session = vi.fn(({ session, token }: SessionParams) => ({
    ...session,
    title: (token as JWT | undefined)?.["title"],
  }))
  return { jwt, session }
}

describe("an update of a cookie session", () => {
  test("is passed to the `jwt` callback with its trigger and data, and is saved", async () => {
    const callbacks = createCallbackSpies()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    callbacks.jwt.mockClear()
    const response = await alice.updateSession({ title: "Countess" })
    expect([response.status, await response.json()]).toMatchObject([200, { title: "Countess" }])
    expect(callbacks.jwt).toHaveBeenCalledOnce()
    const [parameters] = callbacks.jwt.mock.calls[0] ?? []
    expect(parameters).toMatchObject({ trigger: "update", session: { title: "Countess" } })
    expect(parameters?.token).toMatchObject({ name: "ada", sub: "user-ada" })
    expect(Object.keys(parameters ?? {}).sort()).toEqual(["session", "token", "trigger"])
    expect(await alice.getSession()).toMatchObject({ title: "Countess", user: { name: "ada" } })
  })

  test("is passed to the `session` callback, unlike a read", async () => {
    const callbacks = createCallbackSpies()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    await alice.updateSession("data")
    expect(callbacks.session.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      newSession: "data",
    })
    await alice.getSession()
    expect(callbacks.session.mock.lastCall?.[0]).not.toHaveProperty("trigger")
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({ session: undefined })
    expect(callbacks.jwt.mock.lastCall?.[0]).not.toHaveProperty("trigger")
  })

  test("re-issues the token although no renewal is due", async () => {
    const alice = await createPasswordApp().openSignedInBrowser()
    const before = readSessionCookie(alice)
    await alice.updateSession({})
    expect(readSessionCookie(alice)).not.toBe(before)
  })

  test("can be sent as a form", async () => {
    const callbacks = createCallbackSpies()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    await alice.post("/auth/session", { csrfToken: await alice.getCsrfToken(), data: "text" })
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({ trigger: "update", session: "text" })
  })

  test("has undefined data if it has none", async () => {
    const callbacks = createCallbackSpies()
    const alice = await createPasswordApp({ callbacks }).openSignedInBrowser()
    await alice.updateSession(undefined)
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      session: undefined,
    })
  })

  test("that the callback refuses by throwing causes an error, and changes nothing", async () => {
    const jwt = ({ token, trigger }: JwtParams) => {
      if (trigger === "update") throw new Error("not yours")
      return token
    }
    const alice = await createPasswordApp({ callbacks: { jwt } }).openSignedInBrowser()
    const before = readSessionCookie(alice)
    const response = await alice.updateSession({ role: "admin" })
    expect(response.status).toBe(503)
    expect(readSessionCookie(alice)).toBe(before)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("ends the session if the callback returns null", async () => {
    const jwt = ({ token, trigger }: JwtParams) => (trigger === "update" ? null : token)
    const alice = await createPasswordApp({ callbacks: { jwt } }).openSignedInBrowser()
    expect(await (await alice.updateSession({})).json()).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })
})

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

describe.each(strategies)("an update, strategy %s", (_, open) => {
  const hostile = {
    name: "Mallory",
    email: "mallory@example.com",
    sub: "user-bob",
    user: { name: "Mallory", id: "user-bob" },
    userId: "user-bob",
    expires: "2999-01-01T00:00:00.000Z",
    exp: 9_999_999_999,
    sessionToken: "x",
  }

  test("with client data changes nothing by default", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const before = await alice.getSession()
    const response = await alice.updateSession(hostile)
    expect(response.status).toBe(200)
    const { expires, ...shown } = (await response.json()) as { expires: string }
    expect(shown).toEqual({ user: before?.user })
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 31 * 86_400_000)
    expect((await alice.getSession())?.user).toEqual(before?.user)
  })

  test("returns null if nobody is signed in", async () => {
    const mallory = (await open()).openBrowser()
    const response = await mallory.updateSession(hostile)
    expect([response.status, await response.json()]).toEqual([200, null])
    expect(mallory.cookies.has(sessionCookieName)).toBe(false)
  })

  test("has `no-store`", async () => {
    const alice = await (await open()).openSignedInBrowser()
    expect((await alice.updateSession({})).headers.get("cache-control")).toContain("no-store")
  })
})

describe("an update of a database session", () => {
  test("is passed to the `session` callback with trigger and data, and to no `jwt` callback", async () => {
    const { jwt, session } = createCallbackSpies()
    const app = await createStoredPasswordApp({ callbacks: { jwt, session } })
    const alice = await app.openSignedInBrowser()
    await alice.updateSession({ title: "Countess" })
    expect(jwt).not.toHaveBeenCalled()
    expect(session.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      newSession: { title: "Countess" },
      user: { id: "user-ada" },
      session: { userId: "user-ada", user: { email: "ada@example.com" } },
    })
    expect(session.mock.lastCall?.[0]).not.toHaveProperty("token")
  })

  test("extends the expiry of the row", async () => {
    const app = await createStoredPasswordApp()
    const alice = await app.openSignedInBrowser()
    const updateSession = vi.spyOn(app.adapter, "updateSession")
    await alice.updateSession({})
    expect(updateSession).toHaveBeenCalledOnce()
  })

  test("allows the callback to write to the database", async () => {
    const app = await createStoredPasswordApp({
      callbacks: {
        async session({ session, user, trigger, newSession }) {
          if (trigger !== "update")
            return { user: { name: user.name ?? null }, expires: session.expires }
          const updated = await app.adapter.updateUser({
            id: user.id,
            name: String(newSession.name),
          })
          return { user: { name: updated.name ?? null }, expires: session.expires }
        },
      },
    })
    const alice = await app.openSignedInBrowser()
    expect(await (await alice.updateSession({ name: "Ada King" })).json()).toMatchObject({
      user: { name: "Ada King" },
    })
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada King" } })
  })
})
