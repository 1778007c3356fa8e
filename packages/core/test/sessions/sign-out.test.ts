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

describe.each(strategies)("sign-out, strategy %s", (_, open) => {
  test("ends the session and redirects to the callback URL", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const response = await alice.signOut({ callbackUrl: "/bye" })
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://app.example/bye",
    ])
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(await alice.getSession()).toBeNull()
  })

  test("returns the URL to scripts, and also deletes the cookie", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    const headers = { "x-auth-return-redirect": "1" }
    const response = await alice.post(
      "/auth/signout",
      { csrfToken, callbackUrl: "/bye" },
      { headers },
    )
    expect([response.status, await response.json()]).toEqual([
      200,
      { url: "https://app.example/bye" },
    ])
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })

  test("redirects without an event if nobody is signed in", async () => {
    const events: unknown[] = []
    const app = await open({ events: { signOut: (message) => void events.push(message) } })
    const alice = app.openBrowser()
    const response = await alice.signOut()
    expect([response.status, getRedirectError(response)]).toEqual([302, null])
    expect(events).toEqual([])
  })

  test("deletes the cookie of a session that no longer exists", async () => {
    const app = await open()
    const alice = app.openBrowser()
    alice.cookies.setUnchecked(alice.origin, `${sessionCookieName}=stale; Path=/; Secure; HttpOnly`)
    const response = await alice.signOut()
    expect([response.status, getRedirectError(response)]).toEqual([302, null])
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })

  test("in one browser does not affect another one", async () => {
    const app = await open()
    const [laptop, phone] = [await app.openSignedInBrowser(), await app.openSignedInBrowser()]
    await laptop.signOut()
    expect(await laptop.getSession()).toBeNull()
    expect(await phone.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("allows another user to sign in", async () => {
    const alice = await (await open()).openSignedInBrowser("ada")
    await alice.signOut()
    await signInWithPassword(alice, "bob")
    expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
  })
})

test("sign-out deletes the row: the old cookie is invalid", async () => {
  const app = await createStoredPasswordApp()
  const alice = await app.openSignedInBrowser()
  const token = readSessionCookie(alice)
  expect(app.countRows("Session")).toBe(1)
  await alice.signOut()
  expect(app.countRows("Session")).toBe(0)
  const thief = app.openBrowser()
  thief.cookies.setUnchecked(thief.origin, `${sessionCookieName}=${token}; Path=/; Secure`)
  expect(await thief.getSession()).toBeNull()
})

test("sign-out from a database session also deletes chunks of an encrypted one", async () => {
  const filling = "x".repeat(8000)
  const sealed = createPasswordApp({ callbacks: { jwt: ({ token }) => ({ ...token, filling }) } })
  const before = await sealed.openSignedInBrowser()
  const app = await createStoredPasswordApp()
  const alice = app.openBrowser()
  for (const { name, raw } of before.cookies) {
    if (name.startsWith(sessionCookieName)) alice.cookies.setUnchecked(alice.origin, raw)
  }
  await signInWithPassword(alice, "ada")
  await alice.signOut()
  expect(alice.cookies.names.filter((name) => name.startsWith(sessionCookieName))).toEqual([])
})

test("GET sign-out redirects to the custom page as configured", async () => {
  const alice = await createPasswordApp({
    pages: { signOut: "/bye?really=1" },
  }).openSignedInBrowser()
  const response = await alice.open("/auth/signout?callbackUrl=/x")
  expect(response.headers.get("location")).toBe("/bye?really=1")
  expect(await alice.getSession()).not.toBeNull()
})
