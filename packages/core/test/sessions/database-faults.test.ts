import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { AdapterError, SessionTokenError } from "@latchkey/core/errors"
import { errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { password, sessionCookie, signIn, storedPeople } from "../support/people.ts"

type Method = "createSession" | "deleteSession" | "getSessionAndUser" | "updateSession"

/** Breaks a method of an adapter; gives back what mends it. */
function breakDown(adapter: Required<Adapter>, method: Method): () => void {
  const { [method]: whole } = adapter
  adapter[method] = () => Promise.reject<never>(new Error("the database is down"))
  return () => Object.assign(adapter, { [method]: whole })
}

async function signedIn(updateAge = 86_400) {
  const app = await storedPeople({ session: { updateAge } })
  const alice = await app.signedIn()
  const token = sessionCookie(alice)
  return { app, alice, token }
}

describe("while sessions cannot be read", () => {
  test("the session endpoint answers 503, and the cookie stays", async () => {
    const { app, alice, token } = await signedIn()
    const mend = breakDown(app.adapter, "getSessionAndUser")
    const answer = await alice.fetch("/auth/session")
    expect(answer.status).toBe(503)
    expect(await answer.json()).not.toBeNull()
    expect(answer.headers.get("cache-control")).toContain("no-store")
    expect(alice.setCookies).toEqual([])
    expect(sessionCookie(alice)).toBe(token)
    expect(app.errors).toEqual(["SessionTokenError"])
    expect(app.lines.join()).toContain("the database is down")
    mend()
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("an update answers 503, too", async () => {
    const { app, alice } = await signedIn()
    await alice.csrf()
    breakDown(app.adapter, "getSessionAndUser")
    expect((await alice.update({ name: "x" })).status).toBe(503)
    expect(alice.cookies.has(sessionName)).toBe(true)
  })

  test("`auth.session` throws instead of saying that nobody is there", async () => {
    const { app, token } = await signedIn()
    breakDown(app.adapter, "getSessionAndUser")
    const auth = createAuth(app.config)
    const asked = auth.session(
      new Headers({ cookie: `${sessionName}=${token}` }),
      "https://app.example/",
    )
    await expect(asked).rejects.toBeInstanceOf(SessionTokenError)
    await expect(asked).rejects.toMatchObject({ cause: { err: expect.any(AdapterError) } })
  })

  test("a browser without a session is still nobody's", async () => {
    const { app } = await signedIn()
    breakDown(app.adapter, "getSessionAndUser")
    expect(await app.browser().session()).toBeNull()
  })

  test("pairs for forms are given out, and are good afterwards", async () => {
    const { app, alice } = await signedIn()
    alice.cookies.delete("__Host-authjs.csrf-token")
    const mend = breakDown(app.adapter, "getSessionAndUser")
    const csrfToken = await alice.csrf()
    mend()
    await alice.post("/auth/signout", { csrfToken })
    expect(app.count("Session")).toBe(0)
  })
})

describe("while sessions cannot be extended", () => {
  test("a session that is due is given out as it is", async () => {
    const { app, alice, token } = await signedIn(0)
    const { expires } = (await alice.session()) ?? {}
    breakDown(app.adapter, "updateSession")
    expect(await alice.session()).toEqual({
      user: { name: "ada", email: "ada@example.com", image: null },
      expires,
    })
    expect(alice.setCookies).toEqual([])
    expect(sessionCookie(alice)).toBe(token)
    expect(app.errors).toEqual(["AdapterError"])
  })
})

describe("while sessions cannot be created", () => {
  test("nobody is signed in", async () => {
    const app = await storedPeople()
    const mend = breakDown(app.adapter, "createSession")
    const alice = app.browser()
    const answer = await alice.signIn("credentials", { name: "ada", password })
    expect(errorOf(answer)).toBe("Configuration")
    expect(alice.cookies.has(sessionName)).toBe(false)
    mend()
    await signIn(alice, "ada")
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("the session that the browser has goes on", async () => {
    const { app, alice, token } = await signedIn()
    breakDown(app.adapter, "createSession")
    await alice.signIn("credentials", { name: "bob", password })
    expect(sessionCookie(alice)).toBe(token)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("while sessions cannot be deleted", () => {
  test("nobody is told that they are signed out, and the session goes on", async () => {
    const { app, alice, token } = await signedIn()
    const mend = breakDown(app.adapter, "deleteSession")
    const answer = await alice.signOut()
    expect(errorOf(answer)).toBe("Configuration")
    expect(sessionCookie(alice)).toBe(token)
    expect(app.errors).toEqual(["SignOutError"])
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    mend()
    await alice.signOut()
    expect(app.count("Session")).toBe(0)
    expect(await alice.session()).toBeNull()
  })

  test("a sign-in succeeds all the same: the new session counts", async () => {
    const { app, alice, token } = await signedIn()
    breakDown(app.adapter, "deleteSession")
    await signIn(alice, "bob")
    expect(sessionCookie(alice)).not.toBe(token)
    expect(await alice.session()).toMatchObject({ user: { name: "bob" } })
    expect(app.errors).toEqual(["AdapterError"])
  })
})

test("an adapter that throws at once is a fault like any other", async () => {
  const { app, alice } = await signedIn()
  app.adapter.getSessionAndUser = () => {
    throw new TypeError("not connected")
  }
  expect((await alice.fetch("/auth/session")).status).toBe(503)
  expect(alice.cookies.has(sessionName)).toBe(true)
})

test("a row that is no session is a fault, not somebody", async () => {
  const session = ({ session }: { session: { user?: object } }) => ({ ...session, expires: "soon" })
  const app = await storedPeople({ callbacks: { session } })
  const alice = await app.signedIn()
  const { getSessionAndUser } = app.adapter
  for (const expires of ["2999-01-01", null, undefined, new Date(Number.NaN)]) {
    app.adapter.getSessionAndUser = async (token) => {
      const found = await getSessionAndUser(token)
      return found && { ...found, session: { ...found.session, expires: expires as Date } }
    }
    expect((await alice.fetch("/auth/session")).status).toBe(503)
  }
  app.adapter.getSessionAndUser = getSessionAndUser
  expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
})
