/** Sessions that ended in a browser stay ended, whatever cookies it sends, and end in no other application. */
import { createAuth } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createClaims, encryptToken, sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  type PasswordAppConfig,
  secret,
  signInWithPassword,
} from "../support/password-app.ts"

const signedOutCookie = "__Host-authjs.signed-out"
const everyAccess: Partial<PasswordAppConfig> = { session: { updateAge: 0 } }

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-01-01T00:00:00Z") }))
afterEach(() => vi.useRealTimers())

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

function setCookie(browser: TestBrowser, line: string): void {
  browser.cookies.setUnchecked(browser.origin, line)
}

/** Requests the session, and returns a function that delivers the response later. */
async function readLate(browser: TestBrowser) {
  const headers = { cookie: toHeader(browser) }
  const response = await browser.app(new Request(`${browser.origin}/auth/session`, { headers }))
  expect(response.headers.getSetCookie().join()).toContain(`${sessionCookieName}=`)
  return () => browser.storeCookies(response.headers.getSetCookie())
}

const toHeader = (browser: TestBrowser) =>
  [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")

describe("a planted cookie of a sign-out", () => {
  const future = String(Date.parse("2030-01-01T00:00:00Z") / 1000)
  const planted = [future, "9".repeat(24), `${"0".repeat(24)}.${"f".repeat(24)}`, "a.b.c"]

  test.each(planted)("does not change when a session began: %s", async (value) => {
    const app = createPasswordApp({ session: { updateAge: 0, absoluteTimeout: 3600 } })
    const alice = app.openBrowser()
    setCookie(alice, `${signedOutCookie}=${value}; Path=/; Secure; HttpOnly`)
    await signInWithPassword(alice, "ada")
    pass(1800)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    const params = { req: { headers: { cookie: toHeader(alice) } }, secret, secureCookie: true }
    const claims = await getToken(params)
    expect(claims?.["signedInAt"]).toBe(Date.parse("2027-01-01T00:00:00Z") / 1000)
    pass(1801)
    expect(await alice.getSession()).toBeNull()
  })

  test("does not hide a sign-out, in front of the real one", async () => {
    const alice = await createPasswordApp(everyAccess).openSignedInBrowser()
    const deliver = await readLate(alice)
    await alice.signOut()
    deliver()
    const headers = { cookie: `${signedOutCookie}=; ${signedOutCookie}=x; ${toHeader(alice)}` }
    const response = await alice.app(new Request(`${alice.origin}/auth/session`, { headers }))
    expect(await response.json()).toBeNull()
  })
})

test("an expired session behind a cookie that holds none is deleted, and is no error", async () => {
  const app = createPasswordApp({ session: { absoluteTimeout: 3600 } })
  const signedInAt = Date.now() / 1000 - 3601
  const cookie = ["planted", encryptToken(createClaims({ signedInAt }))]
    .map((value) => `${sessionCookieName}=${value}`)
    .join("; ")
  const request = new Request("https://app.example/auth/session", { headers: { cookie } })
  const response = await app.handle(request)
  expect(await response.json()).toBeNull()
  expect(response.headers.getSetCookie().join()).toContain(`${sessionCookieName}=; Max-Age=0`)
  expect(app.errorCodes).toEqual([])
})

test("a sign-out that ends no session leaves no cookie of one", async () => {
  const browser = createPasswordApp().openBrowser()
  setCookie(browser, `${sessionCookieName}=planted; Path=/; Secure; HttpOnly`)
  await browser.signOut()
  expect(browser.cookies.has(sessionCookieName)).toBe(false)
  expect(browser.cookies.has(signedOutCookie)).toBe(false)
})

describe("another application on the same host", () => {
  const open = (name: string, ownSecret: string) =>
    createPasswordApp({
      ...everyAccess,
      secret: ownSecret,
      cookies: { sessionToken: { name: `__Secure-${name}.session-token` } },
    })

  test("has cookies of its own, if only the name of its session cookie differs", async () => {
    const wiki = open("wiki", secret)
    const browser = await wiki.openSignedInBrowser()
    await browser.fetch("/auth/signin")
    await browser.signOut()
    const names = [...browser.cookies].map(({ name }) => name.replace(/^__(Secure|Host)-/, ""))
    expect(names.filter((name) => !name.startsWith("wiki."))).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(["wiki.csrf-token", "wiki.callback-url", "wiki.signed-out"]),
    )
  })

  test.each([secret, `another ${secret}`])("is not signed out with the first one", async (own) => {
    const blog = createPasswordApp(everyAccess)
    const wiki = open("wiki", own)
    const inBlog = await blog.openSignedInBrowser("ada")
    const inWiki = await wiki.openSignedInBrowser("ada")
    // One browser: each application sees the cookies of both.
    const share = () => {
      for (const { name, value } of inBlog.cookies) setCookie(inWiki, `${name}=${value}; Path=/`)
    }
    await inBlog.signOut()
    share()
    const name = "__Secure-wiki.session-token"
    const config = { secret: own, cookies: { sessionToken: { name } }, trustHost: true }
    const request = new Request(inWiki.origin, { headers: { cookie: toHeader(inWiki) } })
    expect(await inWiki.getSession()).toMatchObject({ user: { name: "ada" } })
    expect(await getToken({ req: request, secret: own, cookieName: name })).not.toBeNull()
    const read = await createSessionReader(config).getSession(request)
    expect(read.session).toMatchObject({ user: { name: "ada" } })
  })

  test("keeps its session, although the name is the same and the secret is not", async () => {
    const errors: string[] = []
    const app = createPasswordApp({ logger: { error: (error) => void errors.push(String(error)) } })
    const visitor = app.openBrowser()
    const neighbour = await createPasswordApp({ secret: `another ${secret}` }).openSignedInBrowser()
    const value = neighbour.cookies.get(sessionCookieName)?.value
    setCookie(visitor, `${sessionCookieName}=${value}; Path=/; Secure; HttpOnly`)
    for (let i = 0; i < 3; i += 1) expect(await visitor.getSession()).toBeNull()
    await visitor.signOut()
    expect(visitor.cookies.get(sessionCookieName)?.value).toBe(value)
    expect(errors).toHaveLength(1)
  })
})

describe("of two session cookies,", () => {
  /** One host, before and after a change of the cookie's attributes. */
  function createApps(before: object, after: object, changes: Partial<PasswordAppConfig> = {}) {
    const create = (options: object) =>
      createPasswordApp({ ...everyAccess, ...changes, cookies: { sessionToken: { options } } })
    return [create(before), create(after)] as const
  }

  /** Signs in to the old application, and continues at the new one. */
  async function upgrade([old, current]: ReturnType<typeof createApps>, name: string) {
    const before = await old.openSignedInBrowser(name)
    const after = current.openBrowser()
    for (const line of before.setCookieHeaders) after.storeCookies([line])
    pass(60)
    return after
  }

  const changes: [string, object, object][] = [
    ["domain", { domain: "app.example" }, {}],
    ["domain, to a wider one", {}, { domain: "app.example" }],
    ["path", { path: "/auth" }, { path: "/" }],
  ]

  describe.each(changes)("after a change of the %s,", (_, before, after) => {
    test("that of the last sign-in counts", async () => {
      const browser = await upgrade(createApps(before, after), "ada")
      await signInWithPassword(browser, "bob")
      for (let i = 0; i < 3; i += 1) {
        expect(await browser.getSession()).toMatchObject({ user: { name: "bob" } })
        pass(60)
      }
    })

    test("that of an update counts", async () => {
      const jwt: NonNullable<PasswordAppConfig["callbacks"]>["jwt"] = ({ token, session }) =>
        session ? { ...token, name: session.name } : token
      const browser = await upgrade(createApps(before, after, { callbacks: { jwt } }), "ada")
      await browser.updateSession({ name: "Ada L." })
      pass(60)
      expect(await browser.getSession()).toMatchObject({ user: { name: "Ada L." } })
    })

    test("both end with a sign-out, also after four others", async () => {
      const browser = await upgrade(createApps(before, after), "ada")
      await signInWithPassword(browser, "bob")
      await browser.signOut()
      expect(await browser.getSession()).toBeNull()
      for (const name of ["cleo", "dan", "eve", "fay", "gus"]) {
        pass(60)
        await signInWithPassword(browser, name)
        expect(await browser.getSession()).toMatchObject({ user: { name } })
        await browser.signOut()
        expect(await browser.getSession()).toBeNull()
      }
    })
  })

  test("those of other domains are deleted with a sign-out", async () => {
    const apps = createApps({ domain: "app.example" }, {})
    const browser = await upgrade(apps, "ada")
    await signInWithPassword(browser, "bob")
    await browser.signOut()
    const names = [...browser.cookies].map(({ name }) => name)
    expect(names.filter((name) => name === sessionCookieName)).toEqual([])
  })
})

test("a response that is late does not bring back a user after another one has signed in", async () => {
  const alice = await createPasswordApp(everyAccess).openSignedInBrowser("ada")
  const deliver = await readLate(alice)
  await signInWithPassword(alice, "bob")
  deliver()
  expect(await alice.getSession()).toBeNull()
})

test("a response that is late does not sign out a user who has signed in again", async () => {
  const alice = await createPasswordApp(everyAccess).openSignedInBrowser("ada")
  const deliver = await readLate(alice)
  await signInWithPassword(alice, "ada")
  deliver()
  expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
})

test("a session of Auth.js stays ended, and that of another user from the same second does not end", async () => {
  const browser = createPasswordApp(everyAccess).openBrowser()
  // Its token has no id of the session.
  const plant = (name: string) => {
    const token = encryptToken(createClaims({ sub: `user-${name}`, name, jti: name }))
    setCookie(browser, `${sessionCookieName}=${token}; Path=/; Secure; HttpOnly`)
  }
  plant("ada")
  await browser.signOut()
  plant("ada")
  expect(await browser.getSession()).toBeNull()
  plant("bob")
  expect(await browser.getSession()).toMatchObject({ user: { name: "bob" } })
})

test("a sign-out holds after a new secret is added", async () => {
  const old = createPasswordApp(everyAccess)
  const alice = await old.openSignedInBrowser()
  const deliver = await readLate(alice)
  await alice.signOut()
  deliver()
  const { handle } = createAuth({ ...old.config, secret: [`new ${secret}`, secret] })
  const headers = { cookie: toHeader(alice) }
  const response = await handle(new Request(`${alice.origin}/auth/session`, { headers }))
  expect(await response.json()).toBeNull()
})
