import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
} from "../support/password-app.ts"

type Events = NonNullable<AuthConfig["events"]>

function createEventSpies() {
  const session = vi.fn<NonNullable<Events["session"]>>()
  const signOut = vi.fn<NonNullable<Events["signOut"]>>()
  return { session, signOut }
}

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

const ada = { name: "ada", email: "ada@example.com", image: null }

describe("the `session` event", () => {
  test("has the returned session and the token", async () => {
    const events = createEventSpies()
    const alice = await createPasswordApp({ events }).openSignedInBrowser()
    expect(events.session).not.toHaveBeenCalled()
    const session = await alice.getSession()
    expect(events.session).toHaveBeenCalledExactlyOnceWith({
      session,
      token: expect.objectContaining({ sub: "user-ada", name: "ada", exp: expect.any(Number) }),
    })
  })

  test("is passed to handlers that are only found when they are read", async () => {
    const reported: unknown[] = []
    const events: Events = new Proxy({}, { get: (_, name) => () => void reported.push(name) })
    const alice = await createPasswordApp({ events }).openSignedInBrowser()
    await alice.getSession()
    expect(reported).toEqual(["signIn", "security", "session"])
  })

  test("has the returned session with database sessions, without its token", async () => {
    const events = createEventSpies()
    const app = await createStoredPasswordApp({ events })
    const alice = await app.openSignedInBrowser()
    const session = await alice.getSession()
    expect(session).toMatchObject({ user: ada })
    expect(events.session).toHaveBeenCalledExactlyOnceWith({ session })
    expect(JSON.stringify(events.session.mock.calls)).not.toContain(readSessionCookie(alice))
  })

  test("has the result of the callbacks", async () => {
    const events = createEventSpies()
    const alice = await createPasswordApp({
      events,
      callbacks: {
        jwt: ({ token }) => ({ ...token, role: "admin" }),
        session: ({ session, token }) => ({ ...session, role: token["role"] }),
      },
    }).openSignedInBrowser()
    await alice.updateSession({})
    expect(events.session.mock.lastCall?.[0]).toMatchObject({
      session: { role: "admin" },
      token: { role: "admin" },
    })
  })

  test("is not emitted if nobody is signed in, the cookie is invalid, or the session has ended", async () => {
    const events = createEventSpies()
    let ends = false
    const app = createPasswordApp({
      events,
      callbacks: { jwt: ({ token }) => (ends ? null : token) },
    })
    await app.openBrowser().getSession()
    const stale = app.openBrowser()
    stale.cookies.setUnchecked(stale.origin, `${sessionCookieName}=dead; Path=/; Secure`)
    await stale.getSession()
    const alice = await app.openSignedInBrowser()
    ends = true
    await alice.getSession()
    expect(events.session).not.toHaveBeenCalled()
  })

  test.each(strategies)("is not emitted if a callback hides the session (%s)", async (_, open) => {
    const events = createEventSpies()
    const session = () => null as unknown as { expires: string }
    const alice = await (await open({ events, callbacks: { session } })).openSignedInBrowser()
    expect(await alice.getSession()).toBeNull()
    expect(events.session).not.toHaveBeenCalled()
  })
})

describe("the `signOut` event", () => {
  test("has the token with cookie sessions", async () => {
    const events = createEventSpies()
    const alice = await createPasswordApp({ events }).openSignedInBrowser()
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({
      token: expect.objectContaining({ sub: "user-ada", email: "ada@example.com" }),
    })
  })

  test("has the row with database sessions", async () => {
    const events = createEventSpies()
    const app = await createStoredPasswordApp({ events })
    const alice = await app.openSignedInBrowser()
    const sessionToken = readSessionCookie(alice)
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({
      session: { sessionToken, userId: "user-ada", expires: expect.any(Date) },
    })
  })

  test("has null with an adapter that does not return the row", async () => {
    const events = createEventSpies()
    const app = await createStoredPasswordApp({ events })
    const { deleteSession } = app.adapter
    app.adapter.deleteSession = async (token): Promise<void> => {
      await deleteSession(token)
    }
    const alice = await app.openSignedInBrowser()
    await alice.signOut()
    expect(events.signOut).toHaveBeenCalledExactlyOnceWith({ session: null })
  })

  test("is not emitted if the session could not be ended, or there was none", async () => {
    const events = createEventSpies()
    const app = await createStoredPasswordApp({ events })
    const alice = await app.openSignedInBrowser()
    app.adapter.deleteSession = () => Promise.reject<null>(new Error("down"))
    await alice.signOut()
    const sealed = createPasswordApp({ events }).openBrowser()
    sealed.cookies.setUnchecked(sealed.origin, `${sessionCookieName}=dead; Path=/; Secure`)
    await sealed.signOut()
    expect(events.signOut).not.toHaveBeenCalled()
  })
})

test.each(strategies)(
  "handlers that throw are logged, and change nothing (%s)",
  async (_, open) => {
    const fail = () => Promise.reject(new Error("audit log is full"))
    const app = await open({ events: { session: fail, signOut: fail, signIn: fail } })
    const alice = await app.openSignedInBrowser()
    expect(await alice.getSession()).toMatchObject({ user: ada })
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
    expect(app.errorCodes).toEqual(["EventError", "EventError", "EventError"])
  },
)
