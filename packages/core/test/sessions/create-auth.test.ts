/** Sessions, sign-in and sign-out for framework packages. */
import { createAuth, type RedirectResult } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { Cookie } from "@latchkey/core/types"
import { createScriptedProvider } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  password,
  readSessionCookie,
} from "../support/password-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const url = "https://app.example/account?x=1"
const findCookie = (result: { cookies: RedirectResult["cookies"] }, name: string) =>
  result.cookies.find((cookie) => cookie.name === name)

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

describe.each(strategies)("`auth.getSession`, strategy %s", (strategy, open) => {
  test("equals GET session, and sets no cookie if no renewal is due", async () => {
    const app = await open()
    const alice = await app.openSignedInBrowser()
    const headers = new Headers({ cookie: `${sessionCookieName}=${readSessionCookie(alice)}` })
    const result = await createAuth(app.config).getSession({ headers, url })
    expect(result).toEqual({ session: await alice.getSession(), cookies: [] })
    expect(result.session?.user).toMatchObject({ name: "ada" })
    expect(await createAuth(app.config).getSession({ headers, url: new URL(url) })).toEqual(result)
  })

  test("returns a new list of cookies to each caller, which can be changed", async () => {
    const app = await open()
    const auth = createAuth(app.config)
    const first = await auth.getSession({ headers: new Headers(), url })
    ;(first.cookies as Cookie[]).push({ name: "who", value: "alice", options: {} })
    expect((await auth.getSession({ headers: new Headers(), url })).cookies).toEqual([])
    const response = await app.handle(new Request("https://app.example/auth/providers"))
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test("equals GET session if a renewal is due, and returns the renewed cookie", async () => {
    const app = await open({ session: { updateAge: 60, maxAge: 3600 } })
    const alice = await app.openSignedInBrowser()
    vi.setSystemTime(startTime + 120_000)
    const headers = new Headers({ cookie: `${sessionCookieName}=${readSessionCookie(alice)}` })
    const result = await createAuth(app.config).getSession({ headers, url })
    expect(result.cookies.map(({ name }) => name)).toEqual([sessionCookieName])
    const expires = new Date(startTime + 3_720_000)
    // With database sessions, the response has the expiry before the renewal, as in Auth.js.
    const shown = strategy === "jwt" ? expires : new Date(startTime + 3_600_000)
    expect(result.session?.expires).toBe(shown.toISOString())
    expect(result.cookies[0]?.options).toEqual({
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      expires,
    })
    expect(result.session?.user).toEqual((await alice.getSession())?.user)
    const renewed = new Headers({ cookie: `${sessionCookieName}=${result.cookies[0]?.value}` })
    expect(
      (await createAuth(app.config).getSession({ headers: renewed, url })).session?.expires,
    ).toBe(expires.toISOString())
  })

  test("has its expiry as a string, whatever a callback returned", async () => {
    const session = () => ({ expires: new Date(0) as unknown as string })
    const app = await open({ callbacks: { session } })
    const headers = new Headers({
      cookie: `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`,
    })
    const result = await createAuth(app.config).getSession({ headers, url })
    expect(result.session).toEqual({ expires: "1970-01-01T00:00:00.000Z" })
  })

  test("returns null without cookies if nobody is signed in", async () => {
    const auth = createAuth((await open()).config)
    expect(await auth.getSession({ headers: new Headers(), url })).toEqual({
      session: null,
      cookies: [],
    })
  })

  test("returns null and the deletion of an invalid cookie", async () => {
    const auth = createAuth((await open()).config)
    const headers = new Headers({ cookie: `${sessionCookieName}=dead` })
    const { session, cookies } = await auth.getSession({ headers, url })
    expect(session).toBeNull()
    expect(cookies).toMatchObject([{ name: sessionCookieName, value: "", options: { maxAge: 0 } }])
  })

  test("uses the scheme of the URL", async () => {
    const app = await open()
    const headers = new Headers({
      cookie: `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`,
    })
    const { session } = await createAuth(app.config).getSession({
      headers,
      url: "http://app.example/",
    })
    expect(session).toBeNull()
  })

  test("throws if a callback fails, instead of returning null", async () => {
    let broken = false
    const app = await open({
      callbacks: {
        session({ session }) {
          if (broken) throw new Error("down")
          return { expires: session.expires }
        },
      },
    })
    const headers = new Headers({
      cookie: `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`,
    })
    const auth = createAuth(app.config)
    broken = true
    await expect(auth.getSession({ headers, url })).rejects.toMatchObject({
      type: expect.stringMatching(/^(JWTSessionError|SessionTokenError)$/),
      // What prints the error shows the message or the stack.
      message: expect.stringMatching(/^[^:]+: down \(\S+create-auth\.test\.ts:\d+:\d+\)\. With /),
      stack: expect.stringMatching(/^\w+: [^:]+: down \(.*\n +at /),
      cause: { err: { message: "down" } },
    })
    broken = false
    expect((await auth.getSession({ headers, url })).session).not.toBeNull()
  })
})

describe.each(strategies)("`auth.signIn` and `auth.signOut`, strategy %s", (_, open) => {
  test("sign in with credentials, and return the cookies of the response", async () => {
    const auth = createAuth((await open()).config)
    const options = { name: "ada", password, redirectTo: "/dashboard" }
    const result = await auth.signIn({ headers: new Headers(), url }, "credentials", {
      fields: options,
    })
    expect(result.redirect).toBe("https://app.example/dashboard")
    const cookie = findCookie(result, sessionCookieName)
    const headers = new Headers({ cookie: `${sessionCookieName}=${cookie?.value}` })
    expect((await auth.getSession({ headers, url })).session?.user).toMatchObject({ name: "ada" })

    const out = await auth.signOut({ headers, url }, { redirectTo: "/bye" })
    expect(out.redirect).toBe("https://app.example/bye")
    expect(findCookie(out, sessionCookieName)).toMatchObject({ value: "", options: { maxAge: 0 } })
  })

  test("throw CredentialsSignin to the caller, with the code of the application", async () => {
    class Locked extends CredentialsSignin {
      override code = "locked"
    }
    const authorize = ({ name }: Partial<Record<string, unknown>>) => {
      if (name === "locked") throw new Locked()
      return null
    }
    const auth = createAuth({
      ...(await open()).config,
      providers: [credentials({ credentials: { name: {} }, authorize })],
    })
    const input = { headers: new Headers(), url }
    const wrong = auth.signIn(input, "credentials", { fields: { name: "ada" } })
    await expect(wrong).rejects.toBeInstanceOf(CredentialsSignin)
    await expect(wrong).rejects.toMatchObject({ type: "CredentialsSignin", code: "credentials" })
    const locked = auth.signIn(input, "credentials", { fields: { name: "locked" } })
    await expect(locked).rejects.toBeInstanceOf(Locked)
    await expect(locked).rejects.toMatchObject({ type: "CredentialsSignin", code: "locked" })
  })

  test("redirect to the application's own origin only", async () => {
    const auth = createAuth((await open()).config)
    const options = { name: "ada", password, redirectTo: "https://evil.example/" }
    const input = { headers: new Headers(), url }
    const result = await auth.signIn(input, "credentials", { fields: options })
    expect(result.redirect).toBe("https://app.example")
    const out = await auth.signOut(input, { redirectTo: "//evil.example" })
    expect(out.redirect).toBe("https://app.example")
  })

  test("sign out without an error if nobody is signed in", async () => {
    const auth = createAuth((await open()).config)
    const { redirect, cookies } = await auth.signOut({ headers: new Headers(), url })
    expect(redirect).toBe("https://app.example")
    expect(cookies.filter(({ name }) => name === sessionCookieName)).toEqual([])
  })
})

test("`auth.signIn` starts a sign-in with a provider, and returns its cookie", async () => {
  const provider = await createScriptedProvider()
  const app = createPasswordApp({ providers: [provider.asOidc()] })
  const auth = createAuth(app.config)
  const input = { headers: new Headers(), url }
  const { redirect, cookies } = await auth.signIn(input, "scripted", { redirectTo: "/dashboard" })
  expect(new URL(redirect).origin).toBe("https://idp.example")
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const { url: back } = provider.approve(new URL(redirect))
  const response = await app.handle(new Request(back, { headers: { cookie } }))
  expect(response.headers.get("location")).toBe("https://app.example/dashboard")
  expect(response.headers.getSetCookie().join()).toContain(`${sessionCookieName}=ey`)
})

test("`auth.signIn` without a provider redirects to the sign-in page", async () => {
  const auth = createAuth(createPasswordApp().config)
  const { redirect } = await auth.signIn({ headers: new Headers(), url })
  expect(redirect).toBe("https://app.example/auth/signin")
})

test("`auth.signOut` throws if the session could not be ended", async () => {
  const app = await createStoredPasswordApp()
  const headers = new Headers({
    cookie: `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`,
  })
  app.adapter.deleteSession = () => Promise.reject<null>(new Error("down"))
  const auth = createAuth(app.config)
  await expect(auth.signOut({ headers, url })).rejects.toMatchObject({ type: "SignOutError" })
  expect((await auth.getSession({ headers, url })).session).not.toBeNull()
})
