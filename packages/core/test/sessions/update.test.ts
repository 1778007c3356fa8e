import type { JWT } from "@latchkey/core/types"
import { describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, sessionCookie, storedPeople } from "../support/people.ts"

type JwtParams = { token: JWT; trigger?: string; session?: unknown }
type SessionParams = { session: { user?: object; expires: string }; [name: string]: unknown }

/** Callbacks that are watched: the `jwt` one takes over a `title`, and the `session` one shows it. */
function watched() {
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

describe("an update of a sealed session", () => {
  test("reaches the `jwt` callback with its trigger and data, and is kept", async () => {
    const callbacks = watched()
    const alice = await people({ callbacks }).signedIn()
    callbacks.jwt.mockClear()
    const answer = await alice.update({ title: "Countess" })
    expect([answer.status, await answer.json()]).toMatchObject([200, { title: "Countess" }])
    expect(callbacks.jwt).toHaveBeenCalledOnce()
    const [parameters] = callbacks.jwt.mock.calls[0] ?? []
    expect(parameters).toMatchObject({ trigger: "update", session: { title: "Countess" } })
    expect(parameters?.token).toMatchObject({ name: "ada", sub: "user-ada" })
    expect(Object.keys(parameters ?? {}).sort()).toEqual(["session", "token", "trigger"])
    expect(await alice.session()).toMatchObject({ title: "Countess", user: { name: "ada" } })
  })

  test("is told to the `session` callback, an access is not", async () => {
    const callbacks = watched()
    const alice = await people({ callbacks }).signedIn()
    await alice.update("data")
    expect(callbacks.session.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      newSession: "data",
    })
    await alice.session()
    expect(callbacks.session.mock.lastCall?.[0]).not.toHaveProperty("trigger")
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({ session: undefined })
    expect(callbacks.jwt.mock.lastCall?.[0]).not.toHaveProperty("trigger")
  })

  test("re-issues the token although it is not due", async () => {
    const alice = await people().signedIn()
    const before = sessionCookie(alice)
    await alice.update({})
    expect(sessionCookie(alice)).not.toBe(before)
  })

  test("may come as a form", async () => {
    const callbacks = watched()
    const alice = await people({ callbacks }).signedIn()
    await alice.post("/auth/session", { csrfToken: await alice.csrf(), data: "text" })
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({ trigger: "update", session: "text" })
  })

  test("has undefined as data when it brought none", async () => {
    const callbacks = watched()
    const alice = await people({ callbacks }).signedIn()
    await alice.update(undefined)
    expect(callbacks.jwt.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      session: undefined,
    })
  })

  test("that the callback refuses by throwing is a fault, and changes nothing", async () => {
    const jwt = ({ token, trigger }: JwtParams) => {
      if (trigger === "update") throw new Error("not yours")
      return token
    }
    const alice = await people({ callbacks: { jwt } }).signedIn()
    const before = sessionCookie(alice)
    const answer = await alice.update({ role: "admin" })
    expect(answer.status).toBe(503)
    expect(sessionCookie(alice)).toBe(before)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("ends the session when the callback returns null", async () => {
    const jwt = ({ token, trigger }: JwtParams) => (trigger === "update" ? null : token)
    const alice = await people({ callbacks: { jwt } }).signedIn()
    expect(await (await alice.update({})).json()).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
  })
})

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
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

  test("56 with client data changes nothing by default", async () => {
    const alice = await (await open()).signedIn()
    const before = await alice.session()
    const answer = await alice.update(hostile)
    expect(answer.status).toBe(200)
    const { expires, ...shown } = (await answer.json()) as { expires: string }
    expect(shown).toEqual({ user: before?.user })
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 31 * 86_400_000)
    expect((await alice.session())?.user).toEqual(before?.user)
  })

  test("of nobody is null", async () => {
    const mallory = (await open()).browser()
    const answer = await mallory.update(hostile)
    expect([answer.status, await answer.json()]).toEqual([200, null])
    expect(mallory.cookies.has(sessionName)).toBe(false)
  })

  test("is not to be stored", async () => {
    const alice = await (await open()).signedIn()
    expect((await alice.update({})).headers.get("cache-control")).toContain("no-store")
  })
})

describe("an update of a session in the database", () => {
  test("reaches the `session` callback with trigger and data, and no `jwt` callback", async () => {
    const { jwt, session } = watched()
    const app = await storedPeople({ callbacks: { jwt, session } })
    const alice = await app.signedIn()
    await alice.update({ title: "Countess" })
    expect(jwt).not.toHaveBeenCalled()
    expect(session.mock.lastCall?.[0]).toMatchObject({
      trigger: "update",
      newSession: { title: "Countess" },
      user: { id: "user-ada" },
      session: { userId: "user-ada", user: { email: "ada@example.com" } },
    })
    expect(session.mock.lastCall?.[0]).not.toHaveProperty("token")
  })

  test("extends the row", async () => {
    const app = await storedPeople()
    const alice = await app.signedIn()
    const updateSession = vi.spyOn(app.adapter, "updateSession")
    await alice.update({})
    expect(updateSession).toHaveBeenCalledOnce()
  })

  test("lets the callback write to the database", async () => {
    const app = await storedPeople({
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
    const alice = await app.signedIn()
    expect(await (await alice.update({ name: "Ada King" })).json()).toMatchObject({
      user: { name: "Ada King" },
    })
    expect(await alice.session()).toMatchObject({ user: { name: "Ada King" } })
  })
})
