import type { JWT, Session } from "@latchkey/core/types"
import { getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  signInWithPassword,
} from "../support/password-app.ts"

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

/** Its values are no claims, because they are not properties of their own. */
class Secret {
  get name() {
    return "ada"
  }
}

describe("a `jwt` callback", () => {
  test("that returns null ends the session", async () => {
    let ends = false
    const alice = await createPasswordApp({
      callbacks: { jwt: ({ token }) => (ends ? null : token) },
    }).openSignedInBrowser()
    ends = true
    expect(await alice.getSession()).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    ends = false
    expect(await alice.getSession()).toBeNull()
  })

  test("that returns null at sign-in starts no session", async () => {
    const alice = await createPasswordApp({ callbacks: { jwt: () => null } }).openSignedInBrowser()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(await alice.getSession()).toBeNull()
  })

  test("that returns null at sign-in ends the previous session of the browser", async () => {
    let refuses = false
    const alice = await createPasswordApp({
      callbacks: { jwt: ({ token }) => (refuses ? null : token) },
    }).openSignedInBrowser()
    refuses = true
    await signInWithPassword(alice, "bob")
    refuses = false
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(await alice.getSession()).toBeNull()
  })

  test("that throws causes 503: the cookie stays, and the next request succeeds", async () => {
    let broken = false
    const jwt = ({ token }: { token: JWT }) => {
      if (broken) throw new Error("provider is down")
      return token
    }
    const app = createPasswordApp({ callbacks: { jwt } })
    const alice = await app.openSignedInBrowser()
    const before = readSessionCookie(alice)
    broken = true
    const response = await alice.fetch("/auth/session")
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain("ada")
    expect(alice.setCookieHeaders).toEqual([])
    expect(readSessionCookie(alice)).toBe(before)
    expect(app.errorCodes).toEqual(["JWTSessionError"])
    expect(app.lines.join()).toContain("provider is down")
    broken = false
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each([
    undefined,
    "token",
    7,
    true,
    [],
    new Map([["name", "ada"]]),
    new Date(),
    new Secret(),
  ])("that returns %o causes 503 for a session check, and refuses a sign-in", async (wrong) => {
    let broken = false
    const jwt = ({ token }: { token: JWT }) => (broken ? (wrong as unknown as JWT) : token)
    const app = createPasswordApp({ callbacks: { jwt } })
    const alice = await app.openSignedInBrowser()
    broken = true
    expect((await alice.fetch("/auth/session")).status).toBe(503)
    const mallory = app.openBrowser()
    const response = await mallory.signIn("credentials", { name: "bob", password: "open sesame" })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(mallory.cookies.has(sessionCookieName)).toBe(false)
    broken = false
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("may return an instance whose own properties are the claims", async () => {
    class Token {
      constructor(claims: JWT) {
        Object.assign(this, claims)
      }
    }
    const jwt = ({ token }: { token: JWT }) => new Token(token) as JWT
    const alice = await createPasswordApp({ callbacks: { jwt } }).openSignedInBrowser()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("that throws at sign-in signs nobody in", async () => {
    const app = createPasswordApp({ callbacks: { jwt: () => Promise.reject(new Error("down")) } })
    const alice = app.openBrowser()
    const response = await alice.signIn("credentials", { name: "ada", password: "open sesame" })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })
})

describe.each(strategies)("a `session` callback, strategy %s", (_, open) => {
  test("that throws causes an error: nothing is deleted, and the next request succeeds", async () => {
    let broken = false
    const app = await open({
      callbacks: {
        session({ session }) {
          if (broken) throw new Error("roles are down")
          return { user: { name: session.user?.name ?? null }, expires: session.expires }
        },
      },
    })
    const alice = await app.openSignedInBrowser()
    const before = readSessionCookie(alice)
    broken = true
    const response = await alice.fetch("/auth/session")
    expect(response.status).toBe(503)
    expect(alice.setCookieHeaders).toEqual([])
    expect(readSessionCookie(alice)).toBe(before)
    expect(app.errorCodes).toHaveLength(1)
    expect(app.lines.join()).toContain("roles are down")
    broken = false
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("that returns null hides the session, and does not end it", async () => {
    let hidden = false
    const shown = { user: { name: "shown" }, expires: new Date().toISOString() }
    const session = () => (hidden ? (null as unknown as typeof shown) : shown)
    const alice = await (await open({ callbacks: { session } })).openSignedInBrowser()
    hidden = true
    expect(await alice.getSession()).toBeNull()
    hidden = false
    expect(await alice.getSession()).toEqual(shown)
  })

  test.each([undefined, "text", 7, true, []])("that returns %o causes an error", async (wrong) => {
    const session = () => wrong as unknown as { expires: string }
    const app = await open({ callbacks: { session } })
    const alice = await app.openSignedInBrowser()
    expect((await alice.fetch("/auth/session")).status).toBe(503)
    expect(alice.cookies.has(sessionCookieName)).toBe(true)
    expect(app.lines.join()).toContain(
      "The `session` callback must return the session, or null for none",
    )
  })

  test("can extend the session, including with dates", async () => {
    const session = ({ session }: { session: object }) => ({
      ...session,
      expires: new Date(0) as unknown as string,
      roles: ["admin"],
      since: new Date(0),
    })
    const alice = await (await open({ callbacks: { session } })).openSignedInBrowser()
    expect(await alice.getSession()).toMatchObject({
      expires: "1970-01-01T00:00:00.000Z",
      roles: ["admin"],
      since: "1970-01-01T00:00:00.000Z",
    })
  })

  test("returns name, email, image and expires by default, and nothing else", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const session = await alice.getSession()
    expect(session).toEqual({
      user: { name: "ada", email: "ada@example.com", image: null },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  test("never exposes the session token in a response", async () => {
    const app = await open({
      callbacks: {
        session: (parameters) => ({
          ...parameters.session,
          all: { ...parameters },
          list: [[parameters.session]],
          tokens: [parameters.session.sessionToken, "another"],
        }),
      },
    })
    const alice = await app.openSignedInBrowser()
    const token = readSessionCookie(alice)
    for (const route of ["session", "csrf", "providers", "signin", "signout", "error"]) {
      expect(await (await alice.fetch(alice.getRoutePath(route))).text()).not.toContain(token)
    }
    const update = await (await alice.updateSession({})).text()
    expect(update).not.toContain(token)
    expect(JSON.parse(update)).toMatchObject({ all: { session: {} }, list: [[{}]] })
    expect(app.lines.join()).not.toContain(token)
  })

  test("never exposes it under another name, even if the callback removes the original", async () => {
    const session = (parameters: { session: { sessionToken?: string } }) => {
      const { sessionToken } = parameters.session
      delete parameters.session.sessionToken
      return { ...parameters.session, key: sessionToken } as unknown as Session
    }
    const alice = await (await open({ callbacks: { session } })).openSignedInBrowser()
    const answer = await alice.fetch(alice.getRoutePath("session"))
    expect(await answer.text()).not.toContain(readSessionCookie(alice))
  })

  test("copies arrays without their additional members", async () => {
    const session = () => ({ expires: "", list: /b/.exec("abc") }) as unknown as Session
    const alice = await (await open({ callbacks: { session } })).openSignedInBrowser()
    expect(await alice.getSession()).toMatchObject({ list: ["b"] })
  })
})
