import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, sessionCookie, storedPeople } from "../support/people.ts"

type Events = NonNullable<AuthConfig["events"]>

function watched() {
  const session = vi.fn<NonNullable<Events["session"]>>()
  const signOut = vi.fn<NonNullable<Events["signOut"]>>()
  return { session, signOut }
}

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

const ada = { name: "ada", email: "ada@example.com", image: null }

describe("the event `session`", () => {
  test("tells the session as it was given out, and the token", async () => {
    const events = watched()
    const alice = await people({ events }).signedIn()
    expect(events.session).not.toHaveBeenCalled()
    const session = await alice.session()
    expect(events.session).toHaveBeenCalledExactlyOnceWith({
      session,
      token: expect.objectContaining({ sub: "user-ada", name: "ada", exp: expect.any(Number) }),
    })
  })

  test("tells handlers that are found only when they are asked for", async () => {
    const told: unknown[] = []
    const events: Events = new Proxy({}, { get: (_, name) => () => void told.push(name) })
    const alice = await people({ events }).signedIn()
    await alice.session()
    expect(told).toEqual(["signIn", "session"])
  })

  test("tells the session alone with a session in the database, without its token", async () => {
    const events = watched()
    const app = await storedPeople({ events })
    const alice = await app.signedIn()
    const session = await alice.session()
    expect(session).toMatchObject({ user: ada })
    expect(events.session).toHaveBeenCalledExactlyOnceWith({ session })
    expect(JSON.stringify(events.session.mock.calls)).not.toContain(sessionCookie(alice))
  })

  test("tells what the callbacks made of it", async () => {
    const events = watched()
    const alice = await people({
      events,
      callbacks: {
        jwt: ({ token }) => ({ ...token, role: "admin" }),
        session: ({ session, token }) => ({ ...session, role: token["role"] }),
      },
    }).signedIn()
    await alice.update({})
    expect(events.session.mock.lastCall?.[0]).toMatchObject({
      session: { role: "admin" },
      token: { role: "admin" },
    })
  })

  test("is not told for nobody, a dead cookie, or a session that ended", async () => {
    const events = watched()
    let ends = false
    const app = people({ events, callbacks: { jwt: ({ token }) => (ends ? null : token) } })
    await app.browser().session()
    const stale = app.browser()
    stale.cookies.plant(stale.origin, `${sessionName}=dead; Path=/; Secure`)
    await stale.session()
    const alice = await app.signedIn()
    ends = true
    await alice.session()
    expect(events.session).not.toHaveBeenCalled()
  })

  test.each(strategies)("is not told when a callback hides the session (%s)", async (_, open) => {
    const events = watched()
    const session = () => null as unknown as { expires: string }
    const alice = await (await open({ events, callbacks: { session } })).signedIn()
    expect(await alice.session()).toBeNull()
    expect(events.session).not.toHaveBeenCalled()
  })
})

describe("the event `signOut`", () => {
  test("tells the token of a sealed session", async () => {
    const events = watched()
    const alice = await people({ events }).signedIn()
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({
      token: expect.objectContaining({ sub: "user-ada", email: "ada@example.com" }),
    })
  })

  test("tells the row of a session in the database", async () => {
    const events = watched()
    const app = await storedPeople({ events })
    const alice = await app.signedIn()
    const sessionToken = sessionCookie(alice)
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({
      session: { sessionToken, userId: "user-ada", expires: expect.any(Date) },
    })
  })

  test("tells null with an adapter that does not give the row back", async () => {
    const events = watched()
    const app = await storedPeople({ events })
    const { deleteSession } = app.adapter
    app.adapter.deleteSession = async (token): Promise<void> => {
      await deleteSession(token)
    }
    const alice = await app.signedIn()
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({ session: null })
  })

  test("is not told when the session could not be ended, or was none", async () => {
    const events = watched()
    const app = await storedPeople({ events })
    const alice = await app.signedIn()
    app.adapter.deleteSession = () => Promise.reject<null>(new Error("down"))
    await alice.signOut()
    const sealed = people({ events }).browser()
    sealed.cookies.plant(sealed.origin, `${sessionName}=dead; Path=/; Secure`)
    await sealed.signOut()
    expect(events.signOut).not.toHaveBeenCalled()
  })
})

test.each(strategies)(
  "handlers that throw are logged, and change nothing (%s)",
  async (_, open) => {
    const fail = () => Promise.reject(new Error("audit log is full"))
    const app = await open({ events: { session: fail, signOut: fail, signIn: fail } })
    const alice = await app.signedIn()
    expect(await alice.session()).toMatchObject({ user: ada })
    await alice.signOut()
    expect(await alice.session()).toBeNull()
    expect(app.errors).toEqual(["EventError", "EventError", "EventError"])
  },
)
