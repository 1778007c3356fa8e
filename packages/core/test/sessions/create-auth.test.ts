/** Sessions, sign-in and sign-out for the packages that mount the library in a framework. */
import { createAuth, type RedirectResult } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { Cookie } from "@latchkey/core/types"
import { scriptedProvider } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, password, people, sessionCookie, storedPeople } from "../support/people.ts"

const start = Date.parse("2027-01-01T00:00:00.000Z")

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => vi.useRealTimers())

const url = "https://app.example/account?x=1"
const named = (result: { cookies: RedirectResult["cookies"] }, name: string) =>
  result.cookies.find((cookie) => cookie.name === name)

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe.each(strategies)("`auth.session`, strategy %s", (_, open) => {
  test("equals GET session, and sets no cookie while nothing is due", async () => {
    const app = await open()
    const alice = await app.signedIn()
    const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(alice)}` })
    const result = await createAuth(app.config).session(headers, url)
    expect(result).toEqual({ session: await alice.session(), cookies: [] })
    expect(result.session?.user).toMatchObject({ name: "ada" })
    expect(await createAuth(app.config).session(headers, new URL(url))).toEqual(result)
  })

  test("gives each caller a list of cookies of its own, which may be written into", async () => {
    const app = await open()
    const auth = createAuth(app.config)
    const first = await auth.session(new Headers(), url)
    ;(first.cookies as Cookie[]).push({ name: "who", value: "alice", options: {} })
    expect((await auth.session(new Headers(), url)).cookies).toEqual([])
    const answer = await app.handle(new Request("https://app.example/auth/providers"))
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test("equals GET session when it is due, and gives the renewed cookie", async () => {
    const app = await open({ session: { updateAge: 60, maxAge: 3600 } })
    const alice = await app.signedIn()
    vi.setSystemTime(start + 120_000)
    const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(alice)}` })
    const result = await createAuth(app.config).session(headers, url)
    expect(result.cookies.map(({ name }) => name)).toEqual([sessionName])
    const expires = new Date(start + 3_720_000)
    expect(result.session?.expires).toBe(expires.toISOString())
    expect(result.cookies[0]?.options).toEqual({
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      expires,
    })
    expect(result.session).toEqual(await alice.session())
    const renewed = new Headers({ cookie: `${sessionName}=${result.cookies[0]?.value}` })
    expect((await createAuth(app.config).session(renewed, url)).session).toEqual(result.session)
  })

  test("has its expiry as text, whatever a callback made of it", async () => {
    const session = () => ({ expires: new Date(0) as unknown as string })
    const app = await open({ callbacks: { session } })
    const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(await app.signedIn())}` })
    const result = await createAuth(app.config).session(headers, url)
    expect(result.session).toEqual({ expires: "1970-01-01T00:00:00.000Z" })
  })

  test("of nobody is null, without cookies", async () => {
    const auth = createAuth((await open()).config)
    expect(await auth.session(new Headers(), url)).toEqual({ session: null, cookies: [] })
  })

  test("of a dead cookie is null, with its deletion", async () => {
    const auth = createAuth((await open()).config)
    const headers = new Headers({ cookie: `${sessionName}=dead` })
    const { session, cookies } = await auth.session(headers, url)
    expect(session).toBeNull()
    expect(cookies).toMatchObject([{ name: sessionName, value: "", options: { maxAge: 0 } }])
  })

  test("goes by the scheme of the URL", async () => {
    const app = await open()
    const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(await app.signedIn())}` })
    const { session } = await createAuth(app.config).session(headers, "http://app.example/")
    expect(session).toBeNull()
  })

  test("throws when a callback fails: that is no answer", async () => {
    let broken = false
    const app = await open({
      callbacks: {
        session({ session }) {
          if (broken) throw new Error("down")
          return { expires: session.expires }
        },
      },
    })
    const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(await app.signedIn())}` })
    const auth = createAuth(app.config)
    broken = true
    await expect(auth.session(headers, url)).rejects.toMatchObject({
      type: expect.stringMatching(/^(JWTSessionError|SessionTokenError)$/),
      cause: { err: { message: "down" } },
    })
    broken = false
    expect((await auth.session(headers, url)).session).not.toBeNull()
  })
})

describe.each(strategies)("`auth.signIn` and `auth.signOut`, strategy %s", (_, open) => {
  test("sign in with credentials, and give the cookies of the answer", async () => {
    const auth = createAuth((await open()).config)
    const options = { name: "ada", password, redirectTo: "/dashboard" }
    const result = await auth.signIn({
      provider: "credentials",
      options,
      headers: new Headers(),
      url,
    })
    expect(result.redirect).toBe("https://app.example/dashboard")
    const cookie = named(result, sessionName)
    const headers = new Headers({ cookie: `${sessionName}=${cookie?.value}` })
    expect((await auth.session(headers, url)).session?.user).toMatchObject({ name: "ada" })

    const out = await auth.signOut({ headers, url, options: { redirectTo: "/bye" } })
    expect(out.redirect).toBe("https://app.example/bye")
    expect(named(out, sessionName)).toMatchObject({ value: "", options: { maxAge: 0 } })
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
    const input = { provider: "credentials", headers: new Headers(), url }
    const wrong = auth.signIn({ ...input, options: { name: "ada" } })
    await expect(wrong).rejects.toBeInstanceOf(CredentialsSignin)
    await expect(wrong).rejects.toMatchObject({ type: "CredentialsSignin", code: "credentials" })
    const locked = auth.signIn({ ...input, options: { name: "locked" } })
    await expect(locked).rejects.toBeInstanceOf(Locked)
    await expect(locked).rejects.toMatchObject({ type: "CredentialsSignin", code: "locked" })
  })

  test("lead back to the own origin only", async () => {
    const auth = createAuth((await open()).config)
    const options = { name: "ada", password, redirectTo: "https://evil.example/" }
    const input = { headers: new Headers(), url }
    const result = await auth.signIn({ ...input, provider: "credentials", options })
    expect(result.redirect).toBe("https://app.example")
    const out = await auth.signOut({ ...input, options: { redirectTo: "//evil.example" } })
    expect(out.redirect).toBe("https://app.example")
  })

  test("sign out nobody without a fault", async () => {
    const auth = createAuth((await open()).config)
    const { redirect, cookies } = await auth.signOut({ headers: new Headers(), url })
    expect(redirect).toBe("https://app.example")
    expect(cookies.filter(({ name }) => name === sessionName)).toEqual([])
  })
})

test("`auth.signIn` begins a sign-in with a provider, and gives the cookie of the attempt", async () => {
  const provider = await scriptedProvider()
  const app = people({ providers: [provider.asOidc()] })
  const auth = createAuth(app.config)
  const input = { headers: new Headers(), url, options: { redirectTo: "/dashboard" } }
  const { redirect, cookies } = await auth.signIn({ ...input, provider: "scripted" })
  expect(new URL(redirect).origin).toBe("https://idp.example")
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const { url: back } = provider.approve(new URL(redirect))
  const answer = await app.handle(new Request(back, { headers: { cookie } }))
  expect(answer.headers.get("location")).toBe("https://app.example/dashboard")
  expect(answer.headers.getSetCookie().join()).toContain(`${sessionName}=ey`)
})

test("`auth.signIn` without a provider leads to the sign-in page", async () => {
  const auth = createAuth(people().config)
  const { redirect } = await auth.signIn({ headers: new Headers(), url })
  expect(redirect).toBe("https://app.example/auth/signin")
})

test("`auth.signOut` throws when the session could not be ended", async () => {
  const app = await storedPeople()
  const headers = new Headers({ cookie: `${sessionName}=${sessionCookie(await app.signedIn())}` })
  app.adapter.deleteSession = () => Promise.reject<null>(new Error("down"))
  const auth = createAuth(app.config)
  await expect(auth.signOut({ headers, url })).rejects.toMatchObject({ type: "SignOutError" })
  expect((await auth.session(headers, url)).session).not.toBeNull()
})
