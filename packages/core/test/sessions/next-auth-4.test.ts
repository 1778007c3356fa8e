/** Sessions of NextAuth.js 4, which `session.accept` keeps. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import { nextAuth4 } from "@latchkey/core/authjs"
import { decode, encode } from "@latchkey/core/jwt"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  createClaims,
  deriveSessionKey,
  encryptNextAuth4Token,
  encryptToken,
  sessionCookieName,
} from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
  signInWithPassword,
} from "../support/password-app.ts"

/** The result of `encode` of next-auth 4.24.15 for `secret`. */
const encodedByNextAuth =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..Ggo6bXbA3RyXixAJ.c6ncPaBpKVOrexqLC-xvWxLi6V8RlMPuu-cYp0xz1GoIHgDaaRwicREWWrSjh5Nisu9YRtYY-SqraCRRLC27rXFKcTKL7Szsf4IdIVRIeMgS1iWvZT0wKRcyNvoZJ8H9k01O6WaIepDyFuLgQ1iDxmU0IadLJewXaM3COrDwPb8TOUuYj-httICnR5gNIuQdGgdeMiTrIz_eEWJ_F8aPGKXj8qpv2SjsRw5sHNulZIiHj0mfw2omHoLRyFMaHW0.mpQkYZ1Y8mGTMP4qGR15nQ"
const encodedAt = 1795418884
const encodedClaims = {
  name: "Ada",
  email: "ada@example.com",
  picture: "https://example.com/ada.png",
  sub: "user-ada",
  role: "admin",
}

const oldName = "__Secure-next-auth.session-token"
const newerSecret = "fedcba9876543210fedcba9876543210"
const session = { accept: [nextAuth4] }

const listSessionCookies = ({ cookies }: TestBrowser) =>
  cookies.names.filter((name) => name.includes("session-token"))

function setCookie(browser: TestBrowser, value: string, name = oldName): void {
  const secure = browser.origin.startsWith("https:") ? "Secure; " : ""
  browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; ${secure}HttpOnly`)
}

/** An application that accepts the sessions, and a browser that has one. */
function openMovedApp(token: string, changes: Partial<PasswordAppConfig> = {}, origin?: string) {
  const app = createPasswordApp({ session, ...changes })
  const browser = app.openBrowser(origin === undefined ? undefined : { origin })
  setCookie(browser, token, origin === "http://app.example" ? oldName.slice(9) : oldName)
  return { app, browser }
}

function setTime(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1000 })
  onTestFinished(() => void vi.useRealTimers())
}

describe("a session token", () => {
  test.each([
    ["https://app.example", sessionCookieName],
    ["http://app.example", "authjs.session-token"],
  ])("of the package is read at %s, and replaced by ours", async (origin, name) => {
    setTime(encodedAt + 60)
    const { browser } = openMovedApp(encodedByNextAuth, {}, origin)
    const { name: user, email, picture: image } = encodedClaims
    expect(await browser.getSession()).toMatchObject({ user: { name: user, email, image } })
    expect(listSessionCookies(browser)).toEqual([name])
    expect(browser.cookies.rejected).toEqual([])
    const claims = await decode({ token: readSessionCookie(browser, name), secret, salt: name })
    expect(claims).toMatchObject({ ...encodedClaims, iat: encodedAt + 60, signedInAt: encodedAt })
    expect(await browser.getSession()).toMatchObject({ user: { name: user } })
    expect(browser.setCookieHeaders).toEqual([])
  })

  test("reaches the callbacks with all claims", async () => {
    const tokens: unknown[] = []
    const { browser } = openMovedApp(encryptNextAuth4Token(createClaims({ role: "admin" })), {
      callbacks: {
        jwt: ({ token, trigger }) => {
          tokens.push({ ...token, trigger })
          return token
        },
        session: ({ session, token }) => ({ ...session, role: token["role"] }),
      },
    })
    expect(await browser.getSession()).toMatchObject({ user: { name: "mallory" }, role: "admin" })
    expect(tokens).toMatchObject([{ sub: "user-mallory", role: "admin", trigger: undefined }])
  })

  test("is read from its chunks", async () => {
    const token = encryptNextAuth4Token(createClaims({ picture: "p".repeat(5000) }))
    const { browser } = openMovedApp("")
    browser.cookies.delete(oldName)
    setCookie(browser, token.slice(0, 3933), `${oldName}.0`)
    setCookie(browser, token.slice(3933), `${oldName}.1`)
    expect(await browser.getSession()).toMatchObject({ user: { name: "mallory" } })
    expect(listSessionCookies(browser)).toEqual([
      `${sessionCookieName}.0`,
      `${sessionCookieName}.1`,
    ])
  })

  test("is read with each secret", async () => {
    const token = encryptNextAuth4Token(createClaims())
    const { browser } = openMovedApp(token, { secret: [newerSecret, secret] })
    expect(await browser.getSession()).not.toBeNull()
    const own = { token: readSessionCookie(browser), salt: sessionCookieName }
    expect(await decode({ ...own, secret: newerSecret })).toMatchObject({ name: "mallory" })
  })

  test("is read under a name that the application gave the cookie", async () => {
    const cookies = { sessionToken: { name: oldName } }
    const { browser } = openMovedApp(encryptNextAuth4Token(createClaims()), { cookies })
    expect(await browser.getSession()).not.toBeNull()
    const [issued] = [readSessionCookie(browser, oldName)]
    expect(await decode({ token: issued, secret, salt: oldName })).toMatchObject({
      name: "mallory",
    })
    expect(await browser.getSession()).not.toBeNull()
  })

  test("is read if the application has its own codec", async () => {
    const changes = { jwt: { encode, decode }, useHostPrefix: "migrate" as const }
    const { app, browser } = openMovedApp(encryptNextAuth4Token(createClaims()), changes)
    expect(await browser.getSession()).toMatchObject({ user: { name: "mallory" } })
    expect(listSessionCookies(browser)).toEqual(["__Host-authjs.session-token"])
    expect(app.errorCodes).toEqual([])
  })

  const now = Math.floor(Date.now() / 1000)
  const tampered = encryptNextAuth4Token(createClaims()).replace(/.(?=\.[^.]*$)/, "!")
  /** The last byte of the text becomes the first of its tag: verified together, they are the same. */
  const respelled = () => {
    const parts = encryptNextAuth4Token(createClaims()).split(".")
    const [text, tag] = parts.slice(3).map((part) => Buffer.from(part, "base64url"))
    const moved = [
      text?.subarray(0, -1),
      Buffer.concat([text?.subarray(-1) ?? tag, tag] as Buffer[]),
    ]
    return [...parts.slice(0, 3), ...moved.map((part) => part?.toString("base64url"))].join(".")
  }

  test.each<[string, string]>([
    ["in another spelling", respelled()],
    ["expired", encryptNextAuth4Token(createClaims({ exp: now - 60 }))],
    ["older than `session.maxAge`", encryptNextAuth4Token(createClaims({ iat: now - 2_592_000 }))],
    ["without the time it was issued", encryptNextAuth4Token({ sub: "a", exp: now + 60 })],
    ["without an expiry", encryptNextAuth4Token({ sub: "a", iat: now })],
    ["tampered with", tampered],
    ["sealed under another secret", encryptNextAuth4Token(createClaims(), newerSecret)],
    ["of a pending sign-in", encryptNextAuth4Token({ state: "s", iat: now, exp: now + 900 })],
    ["of another cookie", encryptNextAuth4Token(createClaims(), secret, "next-auth.state")],
    ["of ours under another name", encryptToken(createClaims())],
    ["of ours under the empty name", encryptToken(createClaims(), deriveSessionKey(secret, ""))],
  ])("that is %s signs nobody in, and its cookie is deleted", async (_, token) => {
    const { browser } = openMovedApp(token)
    expect(await browser.getSession()).toBeNull()
    expect(listSessionCookies(browser)).toEqual([])
  })

  test("is not read unless the option says so, and its cookie stays", async () => {
    const token = encryptNextAuth4Token(createClaims())
    const { browser } = openMovedApp(token, { session: {} })
    expect(await browser.getSession()).toBeNull()
    expect(listSessionCookies(browser)).toEqual([oldName])
    setCookie(browser, token, sessionCookieName)
    expect(await browser.getSession()).toBeNull()
  })
})

describe("signing out", () => {
  test("deletes all parts of the cookie, and is final for copies of the token", async () => {
    const token = encryptNextAuth4Token(createClaims({ signedInAt: 9_999_999_999_999 }))
    const { app, browser } = openMovedApp(token)
    setCookie(browser, "rest", `${oldName}.3`)
    await browser.signOut()
    expect(listSessionCookies(browser)).toEqual([])
    setCookie(browser, token)
    expect(await browser.getSession()).toBeNull()
    expect(listSessionCookies(browser)).toEqual([])
    await signInWithPassword(browser, "ada")
    setCookie(browser, token)
    expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    expect(app.errorCodes).toEqual([])
  })

  test("wins over a session check that was under way", async () => {
    const token = encryptNextAuth4Token(createClaims())
    const { app, browser } = openMovedApp(token)
    const url = `${browser.origin}/auth/session`
    const late = await app.handle(new Request(url, { headers: { cookie: `${oldName}=${token}` } }))
    await browser.signOut()
    browser.storeCookies(late.headers.getSetCookie())
    expect(listSessionCookies(browser)).toEqual([sessionCookieName])
    expect(await browser.getSession()).toBeNull()
  })
})

describe("cookies of both libraries", () => {
  test("our own session is read, and no other user's is updated", async () => {
    const app = createPasswordApp({ session })
    const browser = await app.openSignedInBrowser("ada")
    setCookie(browser, encryptNextAuth4Token(createClaims()))
    expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    expect((await browser.updateSession({})).status).toBe(400)
  })

  test("a sign-in deletes the other one", async () => {
    const { browser } = openMovedApp(encryptNextAuth4Token(createClaims()))
    await signInWithPassword(browser, "ada")
    expect(listSessionCookies(browser)).toEqual([sessionCookieName])
  })

  test("the first of two that have the same name is read, and neither is updated", async () => {
    const [first, second] = ["first", "second"].map((sub) =>
      encryptNextAuth4Token(createClaims({ sub, name: sub })),
    )
    const { browser } = openMovedApp(first ?? "")
    const longerPath = `${oldName}=${second}; Path=/auth; Secure`
    browser.cookies.setUnchecked(browser.origin, longerPath)
    expect((await browser.updateSession({})).status).toBe(400)
    expect(await browser.getSession()).toMatchObject({ user: { name: "second" } })
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
  })
})

test("a database session keeps its token and row, under our name", async () => {
  const strategy = { ...session, strategy: "database" } as const
  const app = await createStoredPasswordApp({ session: strategy })
  const [ada] = [await app.adapter.getUserByEmail("ada@example.com")]
  const expires = new Date(Date.now() + 1000 * 86_400)
  const sessionToken = "7d1b1a9c-2d38-4a9e-8a53-0f4a0f7c1f11" // NextAuth.js writes UUIDs
  await app.adapter.createSession({ sessionToken, userId: ada?.id ?? "", expires })
  const browser = app.openBrowser()
  setCookie(browser, sessionToken)
  expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
  expect(listSessionCookies(browser)).toEqual([sessionCookieName])
  expect(readSessionCookie(browser)).toBe(sessionToken)
  setCookie(browser, sessionToken)
  await browser.signOut()
  expect(listSessionCookies(browser)).toEqual([])
  expect(app.countRows("Session")).toBe(0)
})

test.each([
  ["next-auth", '"next-auth"'],
  [["next-auth@5"], '"next-auth@5"'],
  [null, "nothing"],
])("`accept: %j` is a configuration error", async (accept, received) => {
  const config = { ...createPasswordApp().config, session: { accept } }
  const [problem] = await findConfigProblems(config as unknown as PasswordAppConfig)
  expect(problem).toMatchObject({ type: "InvalidOption", option: "session.accept" })
  expect(problem?.message).toContain(
    `[nextAuth4] of \`@latchkey/core/authjs\`. Received: ${received}.`,
  )
})
