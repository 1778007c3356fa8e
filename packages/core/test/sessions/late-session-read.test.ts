/** A session check whose response arrives after a sign-out, and brings the session cookie again. */
import { getToken } from "@latchkey/core/jwt"
import type { TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
  signInWithPassword,
} from "../support/password-app.ts"

type Apps = [string, (changes: Partial<PasswordAppConfig>) => Promise<typeof jwtApp>]
const jwtApp = createPasswordApp()
const strategies: Apps[] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

/** Requests the session, and returns a function that delivers the response later. */
async function readLate(browser: TestBrowser) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const url = `${browser.origin}/auth/session`
  const response = await browser.app(new Request(url, { headers: { cookie } }))
  expect(response.headers.getSetCookie().join()).toContain(`${sessionCookieName}=`)
  return () => browser.storeCookies(response.headers.getSetCookie())
}

const signedOutCookie = "__Host-authjs.signed-out"
const everyAccess: Partial<PasswordAppConfig> = { session: { updateAge: 0 } }

describe.each(strategies)("strategy %s", (_, open) => {
  test("a response that was late does not undo a sign-out", async () => {
    const alice = await (await open(everyAccess)).openSignedInBrowser()
    const deliver = await readLate(alice)
    await alice.signOut()
    deliver()
    expect(alice.cookies.has(sessionCookieName)).toBe(true)
    expect(await alice.getSession()).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })

  test("a check that a callback delays does not undo a sign-out", async () => {
    let finish = () => {}
    const promise = new Promise<void>((resolve) => {
      finish = resolve
    })
    let isSlow = false
    const alice = await (
      await open({
        ...everyAccess,
        callbacks: {
          async session({ session }) {
            if (isSlow) await promise
            return session
          },
        },
      })
    ).openSignedInBrowser()
    isSlow = true
    const check = readLate(alice)
    await alice.signOut()
    isSlow = false
    finish()
    const deliver = await check
    deliver()
    expect(await alice.getSession()).toBeNull()
  })

  test("a sign-in after it works at once, and repeatedly", async () => {
    const app = await open(everyAccess)
    const alice = await app.openSignedInBrowser()
    for (const name of ["bob", "ada", "bob"]) {
      await alice.signOut()
      await signInWithPassword(alice, name)
      for (let i = 0; i < 2; i++) expect(await alice.getSession()).toMatchObject({ user: { name } })
    }
  })

  test("a response of before the sign-out does not bring back its user after another sign-in", async () => {
    const alice = await (await open(everyAccess)).openSignedInBrowser("ada")
    const deliver = await readLate(alice)
    await alice.signOut()
    await signInWithPassword(alice, "bob")
    deliver()
    expect(await alice.getSession()).toBeNull()
  })
})

describe("a sealed session", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-01-01T00:00:00Z") }))
  afterEach(() => vi.useRealTimers())

  const openSignedInBrowser = (changes: Partial<PasswordAppConfig> = {}) =>
    createPasswordApp({ ...everyAccess, ...changes }).openSignedInBrowser()

  test("that was renewed often, by a callback that drops the time, stays signed out", async () => {
    const jwt: NonNullable<PasswordAppConfig["callbacks"]>["jwt"] = ({ token }) => ({
      sub: token.sub ?? "",
      name: token.name ?? null,
    })
    const alice = await openSignedInBrowser({ callbacks: { jwt } })
    for (let i = 0; i < 3; i++) {
      vi.setSystemTime(Date.now() + 60_000)
      await alice.getSession()
    }
    const deliver = await readLate(alice)
    await alice.signOut()
    deliver()
    expect(await alice.getSession()).toBeNull()
  })

  test("stays signed out if the clocks of the servers differ", async () => {
    const now = Date.now()
    const alice = await openSignedInBrowser()
    const deliver = await readLate(alice)
    vi.setSystemTime(now - 10_000) // another server ends the session
    await alice.signOut()
    deliver()
    expect(await alice.getSession()).toBeNull()
    await signInWithPassword(alice, "bob")
    expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
  })

  test("is not accepted by `getToken` either", async () => {
    const alice = await openSignedInBrowser()
    const deliver = await readLate(alice)
    await alice.signOut()
    deliver()
    const cookie = [...alice.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const params = { secret, secureCookie: true }
    expect(await getToken({ ...params, req: { headers: { cookie } } })).toBeNull()
    const [sessionCookie] = cookie.split("; ").filter((each) => each.startsWith(sessionCookieName))
    const headers = { cookie: sessionCookie }
    expect(await getToken({ ...params, req: { headers } })).toMatchObject({ name: "ada" })
  })

  test("remembers the sign-out as long as sessions last", async () => {
    const alice = await openSignedInBrowser({ session: { updateAge: 0, maxAge: 3600 } })
    await alice.signOut()
    const line = alice.setCookieHeaders.find((each) => each.startsWith(signedOutCookie))
    const [marker, ...attributes] = line?.split("; ") ?? []
    expect(marker).toMatch(/^__Host-authjs\.signed-out=[\da-f]{24}$/)
    expect(attributes).toEqual(["Max-Age=3600", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"])
  })

  test.each(["", "soon", "NaN", "%00", "1798761601"])(
    "is valid with the marker %j",
    async (time) => {
      const alice = await openSignedInBrowser()
      alice.cookies.setUnchecked(alice.origin, `${signedOutCookie}=${time}; Path=/; Secure`)
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
      await alice.signOut()
      await signInWithPassword(alice, "bob")
      expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
    },
  )

  test("of an encoder that keeps its own claims only can begin after a sign-out", async () => {
    const alice = await openSignedInBrowser({
      jwt: {
        encode: ({ token }) => JSON.stringify({ sub: token?.sub, name: token?.name }),
        decode: ({ token }) => JSON.parse(token ?? "null"),
      },
    })
    await alice.signOut()
    await signInWithPassword(alice, "bob")
    expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
  })

  test("that an older version sealed is renewed with the time when it was issued", async () => {
    const alice = await openSignedInBrowser()
    const { encode, decode } = await import("@latchkey/core/jwt")
    const salt = sessionCookieName
    const old = { sub: "user-ada", name: "ada" }
    const token = await encode({ token: old, secret, salt })
    alice.cookies.delete(salt)
    alice.cookies.setUnchecked(alice.origin, `${salt}=${token}; Path=/; Secure; HttpOnly`)
    const iat = Date.now() / 1000
    vi.setSystemTime(Date.now() + 60_000)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    const claims = await decode({ token: readSessionCookie(alice), secret, salt })
    expect(claims).toMatchObject({ signedInAt: iat, iat: iat + 60 })
  })
})
