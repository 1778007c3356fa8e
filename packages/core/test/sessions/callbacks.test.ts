import type { JWT } from "@latchkey/core/types"
import { errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, sessionCookie, signIn, storedPeople } from "../support/people.ts"

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe("57 a `jwt` callback", () => {
  test("that returns null ends the session", async () => {
    let ends = false
    const alice = await people({
      callbacks: { jwt: ({ token }) => (ends ? null : token) },
    }).signedIn()
    ends = true
    expect(await alice.session()).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
    ends = false
    expect(await alice.session()).toBeNull()
  })

  test("that returns null at sign-in starts none", async () => {
    const alice = await people({ callbacks: { jwt: () => null } }).signedIn()
    expect(alice.cookies.has(sessionName)).toBe(false)
    expect(await alice.session()).toBeNull()
  })

  test("that returns null at sign-in ends the session that the browser had", async () => {
    let refuses = false
    const alice = await people({
      callbacks: { jwt: ({ token }) => (refuses ? null : token) },
    }).signedIn()
    refuses = true
    await signIn(alice, "bob")
    refuses = false
    expect(alice.cookies.has(sessionName)).toBe(false)
    expect(await alice.session()).toBeNull()
  })

  test("that throws is a fault: the cookie stays, and the next request works", async () => {
    let broken = false
    const jwt = ({ token }: { token: JWT }) => {
      if (broken) throw new Error("provider is down")
      return token
    }
    const app = people({ callbacks: { jwt } })
    const alice = await app.signedIn()
    const before = sessionCookie(alice)
    broken = true
    const answer = await alice.fetch("/auth/session")
    expect(answer.status).toBe(503)
    expect(await answer.text()).not.toContain("ada")
    expect(alice.setCookies).toEqual([])
    expect(sessionCookie(alice)).toBe(before)
    expect(app.errors).toEqual(["JWTSessionError"])
    expect(app.lines.join()).toContain("provider is down")
    broken = false
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each([undefined, "token", 7, true, []])(
    "that returns %o is a fault at an access, and no sign-in",
    async (wrong) => {
      let broken = false
      const jwt = ({ token }: { token: JWT }) => (broken ? (wrong as unknown as JWT) : token)
      const app = people({ callbacks: { jwt } })
      const alice = await app.signedIn()
      broken = true
      expect((await alice.fetch("/auth/session")).status).toBe(503)
      const mallory = app.browser()
      const answer = await mallory.signIn("credentials", { name: "bob", password: "open sesame" })
      expect(errorOf(answer)).toBe("Configuration")
      expect(mallory.cookies.has(sessionName)).toBe(false)
      broken = false
      expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    },
  )

  test("that throws at sign-in signs nobody in", async () => {
    const app = people({ callbacks: { jwt: () => Promise.reject(new Error("down")) } })
    const alice = app.browser()
    const answer = await alice.signIn("credentials", { name: "ada", password: "open sesame" })
    expect(errorOf(answer)).toBe("Configuration")
    expect(alice.cookies.has(sessionName)).toBe(false)
  })
})

describe.each(strategies)("58 a `session` callback, strategy %s", (_, open) => {
  test("that throws is a fault: nothing is deleted, and the next request works", async () => {
    let broken = false
    const app = await open({
      callbacks: {
        session({ session }) {
          if (broken) throw new Error("roles are down")
          return { user: { name: session.user?.name ?? null }, expires: session.expires }
        },
      },
    })
    const alice = await app.signedIn()
    const before = sessionCookie(alice)
    broken = true
    const answer = await alice.fetch("/auth/session")
    expect(answer.status).toBe(503)
    expect(alice.setCookies).toEqual([])
    expect(sessionCookie(alice)).toBe(before)
    expect(app.errors).toHaveLength(1)
    expect(app.lines.join()).toContain("roles are down")
    broken = false
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each([null, undefined])(
    "that returns %s gives out no session, and ends none",
    async (none) => {
      let hidden = false
      const shown = { user: { name: "shown" }, expires: new Date().toISOString() }
      const session = () => (hidden ? (none as unknown as typeof shown) : shown)
      const alice = await (await open({ callbacks: { session } })).signedIn()
      hidden = true
      expect(await alice.session()).toBeNull()
      hidden = false
      expect(await alice.session()).toEqual(shown)
    },
  )

  test.each(["text", 7, true, []])("that returns %o is a fault", async (wrong) => {
    const session = () => wrong as unknown as { expires: string }
    const alice = await (await open({ callbacks: { session } })).signedIn()
    expect((await alice.fetch("/auth/session")).status).toBe(503)
    expect(alice.cookies.has(sessionName)).toBe(true)
  })

  test("may add to the session, dates included", async () => {
    const session = ({ session }: { session: object }) => ({
      ...session,
      expires: new Date(0) as unknown as string,
      roles: ["admin"],
      since: new Date(0),
    })
    const alice = await (await open({ callbacks: { session } })).signedIn()
    expect(await alice.session()).toMatchObject({
      expires: "1970-01-01T00:00:00.000Z",
      roles: ["admin"],
      since: "1970-01-01T00:00:00.000Z",
    })
  })

  test("59 shows name, email, image and expires by default, and nothing else", async () => {
    const alice = await (await open()).signedIn()
    const session = await alice.session()
    expect(session).toEqual({
      user: { name: "ada", email: "ada@example.com", image: null },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  test("59 never leads the session token into an answer", async () => {
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
    const alice = await app.signedIn()
    const token = sessionCookie(alice)
    for (const route of ["session", "csrf", "providers", "signin", "signout", "error"]) {
      expect(await (await alice.fetch(alice.path(route))).text()).not.toContain(token)
    }
    const update = await (await alice.update({})).text()
    expect(update).not.toContain(token)
    expect(JSON.parse(update)).toMatchObject({ all: { session: {} }, list: [[{}]] })
    expect(app.lines.join()).not.toContain(token)
  })
})
