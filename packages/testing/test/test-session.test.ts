import { Auth, type AuthConfig, createAuth, getSessionInfo } from "@latchkey/core"
import { MissingAdapter, MissingSecret } from "@latchkey/core/errors"
import { totp } from "@latchkey/core/second-factor"
import type { JWT } from "@latchkey/core/types"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  createTestBrowser,
  createTestSession,
  createTestSessionCookies,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest"

const secret = "a secret of the application, long enough: 1"
const ada = { id: "1", name: "Ada", email: "ada@example.com", image: "https://x.example/ada.png" }
const logger = { error: () => undefined, warn: () => undefined }
const baseConfig = { secret, trustHost: true, providers: [], logger } satisfies AuthConfig

/** Returns the response of the session endpoint to a `Cookie` header. */
async function fetchSession(config: AuthConfig, cookie: string, origin = "https://app.example") {
  const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
  const response = await Auth(request, config as Omit<AuthConfig, "raw">)
  return { session: await response.json(), setCookies: response.headers.getSetCookie() }
}

async function openDatabase() {
  const open = openSqlite(":memory:")
  onTestFinished(() => open.close())
  await migrate(open)
  const rows = (table: "User" | "Session") => open.prepare(`select * from "${table}"`).all()
  return { adapter: SqlAdapter(open), rows }
}

describe("a session in a cookie", () => {
  test.each(["https://app.example", "http://localhost:3000"])("is valid at %s", async (origin) => {
    const { session, setCookies } = await fetchSession(
      baseConfig,
      await createTestSession(baseConfig, ada),
      origin,
    )
    const { name, email, image } = ada
    expect(session).toEqual({ user: { name, email, image }, expires: expect.any(String) })
    expect(setCookies.filter((line) => line.includes("session-token"))).toEqual([])
  })

  test("has the cookie of one scheme if a URL is given", async () => {
    const cookie = await createTestSession(baseConfig, ada, {
      url: "http://localhost:3000/somewhere",
    })
    expect(cookie).toMatch(/^authjs\.session-token=[^;]+$/)
    expect((await fetchSession(baseConfig, cookie)).session).toBeNull()
    expect((await fetchSession(baseConfig, cookie, "http://localhost:3000")).session).not.toBeNull()
  })

  test("follows useSecureCookies, and names and attributes of the configuration", async () => {
    const always = { ...baseConfig, useSecureCookies: true }
    expect(await createTestSession(always, ada)).toMatch(/^__Secure-authjs\.session-token=[^;]+$/)
    const cookies = { sessionToken: { name: "sid", options: { path: "/app", httpOnly: false } } }
    const named = { ...baseConfig, cookies }
    const { cookie, setCookieHeaders } = await createTestSessionCookies(named, ada)
    expect(cookie).toMatch(/^sid=[^;]+$/)
    expect(setCookieHeaders).toEqual([
      expect.stringMatching(/^sid=[^;]+; Path=\/app; Expires=[^;]+; Secure; SameSite=Lax$/),
    ])
    expect((await fetchSession(named, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })

  test("calls the jwt callback once, as at a sign-in", async () => {
    const jwt = vi.fn(({ token, account, profile }) => {
      return { ...token, access: account?.access_token, org: profile?.org } as JWT
    })
    const config: AuthConfig = {
      ...baseConfig,
      callbacks: {
        jwt: (parameters) => (parameters.account ? jwt(parameters) : parameters.token),
        session: ({ session, token }) => ({ ...session, access: token.access, org: token.org }),
      },
    }
    const cookie = await createTestSession(config, ada, {
      account: { provider: "github", type: "oauth", access_token: "gho_1" },
      profile: { org: "analysts" },
    })
    const { session } = await fetchSession(config, cookie)
    expect(session).toMatchObject({ access: "gho_1", org: "analysts", user: { name: "Ada" } })
    expect(jwt).toHaveBeenCalledOnce()
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({
      token: { name: "Ada", email: "ada@example.com", sub: "1", picture: ada.image },
      user: ada,
      account: { provider: "github", type: "oauth", providerAccountId: "1", userId: "1" },
      trigger: "signIn",
    })
  })

  test("has proven a second factor with `level: 2`", async () => {
    const factors = SqlAdapter(openSqlite(":memory:"), { migrate: true, secondFactor: true })
    const secondFactor = { methods: [totp()] }
    const stored = { ...baseConfig, adapter: factors, secondFactor } satisfies AuthConfig
    const levels: unknown[] = []
    for (const config of [baseConfig, stored])
      for (const options of [{}, { level: 2 } as const]) {
        const cookie = await createTestSession(config, ada, options)
        const request = { headers: new Headers({ cookie }), url: "https://app.example/" }
        const { session } = await createAuth(config).getSession(request)
        levels.push(session && getSessionInfo(session)?.level)
      }
    expect(levels).toEqual([1, 2, 1, 2])
  })

  test("has the trigger signUp with `isNewUser`", async () => {
    const triggers: unknown[] = []
    const jwt = ({ token, trigger }: { token: JWT; trigger?: string }) => {
      triggers.push(trigger)
      return token
    }
    await createTestSession({ ...baseConfig, callbacks: { jwt } }, ada, { isNewUser: true })
    expect(triggers).toEqual(["signUp"])
  })

  test("is refused if the jwt callback returns null or throws", async () => {
    const refusing = { ...baseConfig, callbacks: { jwt: () => null } }
    await expect(createTestSession(refusing, ada)).rejects.toThrow("`jwt` callback returned null")
    const breaking = {
      ...baseConfig,
      callbacks: { jwt: () => Promise.reject(new Error("no directory")) },
    }
    await expect(createTestSession(breaking, ada)).rejects.toThrow("no directory")
  })

  test("is encoded by the application's `encode`", async () => {
    const salts: string[] = []
    const config: AuthConfig = {
      ...baseConfig,
      jwt: {
        encode: ({ token, salt }) => {
          salts.push(salt)
          return btoa(JSON.stringify(token))
        },
        decode: ({ token }) => JSON.parse(atob(token ?? "")),
      },
    }
    const cookie = await createTestSession(config, ada)
    expect(salts).toEqual(["__Secure-authjs.session-token", "authjs.session-token"])
    expect((await fetchSession(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })

  test("is encrypted with the first of several secrets", async () => {
    const old = "a secret of last year, which was long as well"
    const cookie = await createTestSession({ ...baseConfig, secret: [secret, old] }, ada)
    expect((await fetchSession(baseConfig, cookie)).session).not.toBeNull()
    expect((await fetchSession({ ...baseConfig, secret: old }, cookie)).session).toBeNull()
    const jwtSecretConfig = { ...baseConfig, jwt: { secret: old } }
    expect(
      (await fetchSession(jwtSecretConfig, await createTestSession(jwtSecretConfig, ada))).session,
    ).not.toBeNull()
  })

  test("uses several cookies if it is large", async () => {
    const jwt = ({ token }: { token: JWT }): JWT => ({ ...token, groups: "x".repeat(8000) })
    const config = { ...baseConfig, callbacks: { jwt } }
    const { cookie, setCookieHeaders } = await createTestSessionCookies(config, ada, {
      url: "https://app.example",
    })
    const names = setCookieHeaders.map((line) => line.split("=")[0])
    expect(names.length).toBeGreaterThan(2)
    expect(names).toEqual(names.map((_, i) => `__Secure-authjs.session-token.${i}`))
    expect((await fetchSession(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
    const alice = createTestBrowser((request) => Auth(request, config))
    alice.storeCookies(setCookieHeaders)
    expect(alice.cookies.rejected).toEqual([])
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("lasts for the configured time, by the frozen clock", async () => {
    const config = { ...baseConfig, session: { maxAge: 3600, updateAge: 600 } }
    const { cookie, setCookieHeaders } = await createTestSessionCookies(config, ada)
    const expires = Date.parse(/Expires=([^;]+)/.exec(setCookieHeaders[0] ?? "")?.[1] ?? "")
    expect(Math.abs(expires - Date.now() - 3_600_000)).toBeLessThan(2000)
    const read = () => fetchSession(config, cookie)
    expect((await withFrozenTime(Date.now() + 3_500_000, read)).session).not.toBeNull()
    expect((await withFrozenTime(Date.now() + 3_700_000, read)).session).toBeNull()
    const old = await withFrozenTime(Date.now() - 3_700_000, () => createTestSession(config, ada))
    expect((await fetchSession(config, old)).session).toBeNull()
  })

  test("is valid for createAuth, but not with another secret", async () => {
    const auth = createAuth(baseConfig)
    const cookie = await createTestSession(baseConfig, { name: "Ada" })
    const { session } = await auth.getSession({
      headers: new Headers({ cookie }),
      url: "https://app.example/account",
    })
    expect(session?.user).toMatchObject({ name: "Ada" })
    const other = { ...baseConfig, secret: "another secret, which is as long as the first" }
    expect((await fetchSession(other, cookie)).session).toBeNull()
  })

  test("generates an id for a user without one", async () => {
    const one = await createTestSessionCookies(baseConfig, { name: "Ada" })
    const two = await createTestSessionCookies(baseConfig, { name: "Ada" })
    expect(one.user.id).toEqual(expect.any(String))
    expect(one.user.id).not.toBe(two.user.id)
  })
})

describe("a session in a database", () => {
  test("is a row, and creates the user", async () => {
    const { adapter, rows } = await openDatabase()
    const config = { ...baseConfig, adapter }
    const { cookie, user } = await createTestSessionCookies(config, {
      name: "Ada",
      email: ada.email,
    })
    expect(rows("User")).toMatchObject([{ id: user.id, email: ada.email, emailVerified: null }])
    expect(rows("Session")).toMatchObject([{ userId: user.id }])
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      expect((await fetchSession(config, cookie, origin)).session).toMatchObject({
        user: { name: "Ada", email: ada.email },
      })
    }
  })

  test("uses the stored user with the same id or address", async () => {
    const { adapter, rows } = await openDatabase()
    const config = { ...baseConfig, adapter }
    const { user } = await createTestSessionCookies(config, { name: "Ada", email: ada.email })
    await createTestSession(config, { id: user.id ?? "" })
    await createTestSession(config, { email: ada.email, name: "Somebody else" })
    expect(rows("User")).toMatchObject([{ name: "Ada" }])
    expect(rows("Session")).toHaveLength(3)
  })

  test("supports users without an address", async () => {
    const { adapter, rows } = await openDatabase()
    const config = { ...baseConfig, adapter }
    for (const name of ["One", "Two"]) await createTestSession(config, { name })
    expect(rows("User")).toMatchObject([{ email: null }, { email: null }])
  })

  test("ends at sign-out and when it expires", async () => {
    const { adapter, rows } = await openDatabase()
    const config = { ...baseConfig, adapter, session: { maxAge: 3600 } }
    const alice = createTestBrowser((request) => Auth(request, config), {
      origin: "http://app.test",
    })
    const session = await createTestSessionCookies(config, ada, { url: alice.origin })
    alice.storeCookies(session.setCookieHeaders)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    await alice.signOut()
    expect(rows("Session")).toEqual([])
    const cookie = await createTestSession(config, ada)
    const late = Date.now() + 3_700_000
    expect((await withFrozenTime(late, () => fetchSession(config, cookie))).session).toBeNull()
  })

  test("uses the application's `generateSessionToken`", async () => {
    const { adapter } = await openDatabase()
    const session = { generateSessionToken: () => "a-token-of-my-own" }
    const cookie = await createTestSession({ ...baseConfig, adapter, session }, ada)
    expect(cookie.split("; ")).toEqual([
      "__Secure-authjs.session-token=a-token-of-my-own",
      "authjs.session-token=a-token-of-my-own",
    ])
  })

  test("is a cookie with strategy jwt, but the user is stored", async () => {
    const { adapter, rows } = await openDatabase()
    const config: AuthConfig = { ...baseConfig, adapter, session: { strategy: "jwt" } }
    const { cookie, user } = await createTestSessionCookies(config, {
      name: "Ada",
      email: ada.email,
    })
    expect(rows("User")).toMatchObject([{ id: user.id }])
    expect(rows("Session")).toEqual([])
    expect((await fetchSession(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("an error names a missing option", () => {
  test("a secret, which is not read from the environment", async () => {
    vi.stubEnv("AUTH_SECRET", secret)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { secret: _, ...without } = baseConfig
    await expect(createTestSession(without, ada)).rejects.toThrow(MissingSecret)
  })

  test("an adapter for strategy database, and its createUser", async () => {
    const config = { ...baseConfig, session: { strategy: "database" as const } }
    await expect(createTestSession(config, ada)).rejects.toThrow(MissingAdapter)
    const adapter = { getUser: () => null }
    await expect(createTestSession({ ...baseConfig, adapter }, ada)).rejects.toThrow("`createUser`")
  })
})

test("an Auth.js configuration works, even with a short secret", async () => {
  const config = { secret: "secret", providers: [() => ({ id: "theirs" })], theme: { logo: 1 } }
  expect(await createTestSession(config, ada)).toContain("authjs.session-token=ey")
})

test("invalid configurations and users do not compile", () => {
  const invalidCalls = [
    // @ts-expect-error `secret` is a string or an array of strings
    () => createTestSession({ secret: 42 }, ada),
    // @ts-expect-error unknown strategy
    () => createTestSession({ secret, session: { strategy: "cookie" } }, ada),
    // @ts-expect-error a callback is a function
    () => createTestSession({ secret, callbacks: { jwt: true } }, ada),
    // @ts-expect-error `name` is a string
    () => createTestSession(baseConfig, { name: 42 }),
    // @ts-expect-error unknown option
    () => createTestSession(baseConfig, ada, { maxAge: 60 }),
  ]
  expect(invalidCalls).toHaveLength(5)
  const createSession = () =>
    createTestSession({ secret, callbacks: { jwt: ({ token }) => token } }, ada)
  expectTypeOf(createSession).returns.resolves.toBeString()
})
