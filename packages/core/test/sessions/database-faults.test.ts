import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { AdapterError, SessionTokenError } from "@latchkey/core/errors"
import { getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createStoredPasswordApp,
  password,
  readSessionCookie,
  signInWithPassword,
} from "../support/password-app.ts"

type SessionMethod = "createSession" | "deleteSession" | "getSessionAndUser" | "updateSession"

/** Makes a method of an adapter fail; returns a function that restores it. */
function breakMethod(adapter: Pick<Adapter, SessionMethod>, method: SessionMethod): () => void {
  const { [method]: whole } = adapter
  adapter[method] = () => Promise.reject<never>(new Error("the database is down"))
  return () => Object.assign(adapter, { [method]: whole })
}

async function createSignedInApp(updateAge = 86_400) {
  const app = await createStoredPasswordApp({ session: { updateAge } })
  const alice = await app.openSignedInBrowser()
  const token = readSessionCookie(alice)
  return { app, alice, token }
}

describe("while sessions cannot be read", () => {
  test("the session action responds with 503, and the cookie stays", async () => {
    const { app, alice, token } = await createSignedInApp()
    const restore = breakMethod(app.adapter, "getSessionAndUser")
    const response = await alice.fetch("/auth/session")
    expect(response.status).toBe(503)
    expect(await response.json()).not.toBeNull()
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(alice.setCookieHeaders).toEqual([])
    expect(readSessionCookie(alice)).toBe(token)
    expect(app.errorCodes).toEqual(["SessionTokenError"])
    expect(app.lines.join()).toContain("the database is down")
    restore()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("an update also responds with 503", async () => {
    const { app, alice } = await createSignedInApp()
    await alice.getCsrfToken()
    breakMethod(app.adapter, "getSessionAndUser")
    expect((await alice.updateSession({ name: "x" })).status).toBe(503)
    expect(alice.cookies.has(sessionCookieName)).toBe(true)
  })

  test("`auth.getSession` throws instead of returning null", async () => {
    const { app, token } = await createSignedInApp()
    breakMethod(app.adapter, "getSessionAndUser")
    const auth = createAuth(app.config)
    const asked = auth.getSession({
      headers: new Headers({ cookie: `${sessionCookieName}=${token}` }),
      url: "https://app.example/",
    })
    await expect(asked).rejects.toBeInstanceOf(SessionTokenError)
    await expect(asked).rejects.toMatchObject({ cause: { err: expect.any(AdapterError) } })
  })

  test("a browser without a session receives null", async () => {
    const { app } = await createSignedInApp()
    breakMethod(app.adapter, "getSessionAndUser")
    expect(await app.openBrowser().getSession()).toBeNull()
  })

  test("CSRF tokens are issued, and remain valid afterwards", async () => {
    const { app, alice } = await createSignedInApp()
    alice.cookies.delete("__Host-authjs.csrf-token")
    const restore = breakMethod(app.adapter, "getSessionAndUser")
    const csrfToken = await alice.getCsrfToken()
    restore()
    await alice.post("/auth/signout", { csrfToken })
    expect(app.countRows("Session")).toBe(0)
  })
})

describe("while sessions cannot be extended", () => {
  test("a session that is due for renewal is returned unchanged", async () => {
    const { app, alice, token } = await createSignedInApp(0)
    breakMethod(app.adapter, "updateSession")
    const { expires } = (await alice.getSession()) ?? {}
    expect(await alice.getSession()).toEqual({
      user: { name: "ada", email: "ada@example.com", image: null },
      expires,
    })
    expect(alice.setCookieHeaders).toEqual([])
    expect(readSessionCookie(alice)).toBe(token)
    expect(app.errorCodes).toEqual(["AdapterError", "AdapterError"])
  })
})

describe("while sessions cannot be created", () => {
  test("nobody is signed in", async () => {
    const app = await createStoredPasswordApp()
    const restore = breakMethod(app.adapter, "createSession")
    const alice = app.openBrowser()
    const response = await alice.signIn("credentials", { name: "ada", password })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    restore()
    await signInWithPassword(alice, "ada")
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("the previous session of the browser remains valid", async () => {
    const { app, alice, token } = await createSignedInApp()
    breakMethod(app.adapter, "createSession")
    await alice.signIn("credentials", { name: "bob", password })
    expect(readSessionCookie(alice)).toBe(token)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("while sessions cannot be deleted", () => {
  test("a sign-out is not reported as successful, and the session remains valid", async () => {
    const { app, alice, token } = await createSignedInApp()
    const restore = breakMethod(app.adapter, "deleteSession")
    const response = await alice.signOut()
    expect(getRedirectError(response)).toBe("Configuration")
    expect(readSessionCookie(alice)).toBe(token)
    expect(app.errorCodes).toEqual(["SignOutError"])
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    restore()
    await alice.signOut()
    expect(app.countRows("Session")).toBe(0)
    expect(await alice.getSession()).toBeNull()
  })

  test("a sign-in still succeeds: the new session is valid", async () => {
    const { app, alice, token } = await createSignedInApp()
    breakMethod(app.adapter, "deleteSession")
    await signInWithPassword(alice, "bob")
    expect(readSessionCookie(alice)).not.toBe(token)
    expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
    expect(app.errorCodes).toEqual(["AdapterError"])
  })
})

test("an adapter that throws synchronously is handled like any other fault", async () => {
  const { app, alice } = await createSignedInApp()
  app.adapter.getSessionAndUser = () => {
    throw new TypeError("not connected")
  }
  expect((await alice.fetch("/auth/session")).status).toBe(503)
  expect(alice.cookies.has(sessionCookieName)).toBe(true)
})

test("a row that is not a session is a fault, and signs nobody in", async () => {
  const session = ({ session }: { session: { user?: object } }) => ({ ...session, expires: "soon" })
  const app = await createStoredPasswordApp({ callbacks: { session } })
  const alice = await app.openSignedInBrowser()
  const { getSessionAndUser } = app.adapter
  for (const expires of ["soon", null, undefined, new Date(Number.NaN)]) {
    app.adapter.getSessionAndUser = async (token) => {
      const found = await getSessionAndUser(token)
      return found && { ...found, session: { ...found.session, expires: expires as Date } }
    }
    expect((await alice.fetch("/auth/session")).status).toBe(503)
  }
  app.adapter.getSessionAndUser = getSessionAndUser
  expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
})
