import { Auth, type AuthConfig, createAuth } from "@latchkey/core"
import { MissingAdapter, MissingSecret } from "@latchkey/core/errors"
import type { JWT } from "@latchkey/core/types"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { browser, mintSession, mintSessionCookies, withClock } from "@latchkey/testing"
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest"

const secret = "a secret of the application, long enough: 1"
const ada = { id: "1", name: "Ada", email: "ada@example.com", image: "https://x.example/ada.png" }
const logger = { error: () => undefined, warn: () => undefined }
const base = { secret, trustHost: true, providers: [], logger } satisfies AuthConfig

/** What the session endpoint says to a `Cookie` header. */
async function sessionOf(config: AuthConfig, cookie: string, origin = "https://app.example") {
  const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
  const answer = await Auth(request, config as Omit<AuthConfig, "raw">)
  return { session: await answer.json(), setCookies: answer.headers.getSetCookie() }
}

async function database() {
  const open = openSqlite(":memory:")
  onTestFinished(() => open.close())
  await migrate(open)
  const rows = (table: "User" | "Session") => open.prepare(`select * from "${table}"`).all()
  return { adapter: SqlAdapter(open), rows }
}

describe("a session in a cookie", () => {
  test.each(["https://app.example", "http://localhost:3000"])("is one at %s", async (origin) => {
    const { session, setCookies } = await sessionOf(base, await mintSession(base, ada), origin)
    const { name, email, image } = ada
    expect(session).toEqual({ user: { name, email, image }, expires: expect.any(String) })
    expect(setCookies.filter((line) => line.includes("session-token"))).toEqual([])
  })

  test("has the cookie of one scheme when the URL is given", async () => {
    const cookie = await mintSession(base, ada, { url: "http://localhost:3000/somewhere" })
    expect(cookie).toMatch(/^authjs\.session-token=[^;]+$/)
    expect((await sessionOf(base, cookie)).session).toBeNull()
    expect((await sessionOf(base, cookie, "http://localhost:3000")).session).not.toBeNull()
  })

  test("follows useSecureCookies, and names and attributes of the configuration", async () => {
    const always = { ...base, useSecureCookies: true }
    expect(await mintSession(always, ada)).toMatch(/^__Secure-authjs\.session-token=[^;]+$/)
    const cookies = { sessionToken: { name: "sid", options: { path: "/app", httpOnly: false } } }
    const named = { ...base, cookies }
    const { cookie, setCookies } = await mintSessionCookies(named, ada)
    expect(cookie).toMatch(/^sid=[^;]+$/)
    expect(setCookies).toEqual([
      expect.stringMatching(/^sid=[^;]+; Path=\/app; Expires=[^;]+; Secure; SameSite=Lax$/),
    ])
    expect((await sessionOf(named, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })

  test("goes through the jwt callback, once, as at a sign-in", async () => {
    const jwt = vi.fn(({ token, account, profile }) => {
      return { ...token, access: account?.access_token, org: profile?.org } as JWT
    })
    const config: AuthConfig = {
      ...base,
      callbacks: {
        jwt: (parameters) => (parameters.account ? jwt(parameters) : parameters.token),
        session: ({ session, token }) => ({ ...session, access: token.access, org: token.org }),
      },
    }
    const cookie = await mintSession(config, ada, {
      account: { provider: "github", type: "oauth", access_token: "gho_1" },
      profile: { org: "analysts" },
    })
    const { session } = await sessionOf(config, cookie)
    expect(session).toMatchObject({ access: "gho_1", org: "analysts", user: { name: "Ada" } })
    expect(jwt).toHaveBeenCalledOnce()
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({
      token: { name: "Ada", email: "ada@example.com", sub: "1", picture: ada.image },
      user: ada,
      account: { provider: "github", type: "oauth", providerAccountId: "1", userId: "1" },
      trigger: "signIn",
    })
  })

  test("is a first sign-in when that is said", async () => {
    const triggers: unknown[] = []
    const jwt = ({ token, trigger }: { token: JWT; trigger?: string }) => {
      triggers.push(trigger)
      return token
    }
    await mintSession({ ...base, callbacks: { jwt } }, ada, { isNewUser: true })
    expect(triggers).toEqual(["signUp"])
  })

  test("is refused when the jwt callback gives none out, or breaks", async () => {
    const refusing = { ...base, callbacks: { jwt: () => null } }
    await expect(mintSession(refusing, ada)).rejects.toThrow("`jwt` callback returned null")
    const breaking = {
      ...base,
      callbacks: { jwt: () => Promise.reject(new Error("no directory")) },
    }
    await expect(mintSession(breaking, ada)).rejects.toThrow("no directory")
  })

  test("is written by the encode of the application", async () => {
    const salts: string[] = []
    const config: AuthConfig = {
      ...base,
      jwt: {
        encode: ({ token, salt }) => {
          salts.push(salt)
          return btoa(JSON.stringify(token))
        },
        decode: ({ token }) => JSON.parse(atob(token ?? "")),
      },
    }
    const cookie = await mintSession(config, ada)
    expect(salts).toEqual(["__Secure-authjs.session-token", "authjs.session-token"])
    expect((await sessionOf(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })

  test("is sealed with the first of several secrets", async () => {
    const old = "a secret of last year, which was long as well"
    const cookie = await mintSession({ ...base, secret: [secret, old] }, ada)
    expect((await sessionOf(base, cookie)).session).not.toBeNull()
    expect((await sessionOf({ ...base, secret: old }, cookie)).session).toBeNull()
    const own = { ...base, jwt: { secret: old } }
    expect((await sessionOf(own, await mintSession(own, ada))).session).not.toBeNull()
  })

  test("is in as many cookies as it needs", async () => {
    const jwt = ({ token }: { token: JWT }): JWT => ({ ...token, groups: "x".repeat(9000) })
    const config = { ...base, callbacks: { jwt } }
    const { cookie, setCookies } = await mintSessionCookies(config, ada, {
      url: "https://app.example",
    })
    const names = setCookies.map((line) => line.split("=")[0])
    expect(names.length).toBeGreaterThan(2)
    expect(names).toEqual(names.map((_, i) => `__Secure-authjs.session-token.${i}`))
    expect((await sessionOf(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
    const alice = browser((request) => Auth(request, config))
    alice.receive(setCookies)
    expect(alice.cookies.rejected).toEqual([])
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("lives as long as the configuration says, from the time of the clock", async () => {
    const config = { ...base, session: { maxAge: 3600, updateAge: 600 } }
    const { cookie, setCookies } = await mintSessionCookies(config, ada)
    const expires = Date.parse(/Expires=([^;]+)/.exec(setCookies[0] ?? "")?.[1] ?? "")
    expect(Math.abs(expires - Date.now() - 3_600_000)).toBeLessThan(2000)
    const read = () => sessionOf(config, cookie)
    expect((await withClock(Date.now() + 3_500_000, read)).session).not.toBeNull()
    expect((await withClock(Date.now() + 3_700_000, read)).session).toBeNull()
    const old = await withClock(Date.now() - 3_700_000, () => mintSession(config, ada))
    expect((await sessionOf(config, old)).session).toBeNull()
  })

  test("is known to createAuth, and to nobody with another secret", async () => {
    const auth = createAuth(base)
    const cookie = await mintSession(base, { name: "Ada" })
    const { session } = await auth.session(new Headers({ cookie }), "https://app.example/account")
    expect(session?.user).toMatchObject({ name: "Ada", email: null })
    const other = { ...base, secret: "another secret, which is as long as the first" }
    expect((await sessionOf(other, cookie)).session).toBeNull()
  })

  test("gives somebody without an id one of their own", async () => {
    const one = await mintSessionCookies(base, { name: "Ada" })
    const two = await mintSessionCookies(base, { name: "Ada" })
    expect(one.user.id).toEqual(expect.any(String))
    expect(one.user.id).not.toBe(two.user.id)
  })
})

describe("a session in a database", () => {
  test("is a row, of a user who is created", async () => {
    const { adapter, rows } = await database()
    const config = { ...base, adapter }
    const { cookie, user } = await mintSessionCookies(config, { name: "Ada", email: ada.email })
    expect(rows("User")).toMatchObject([{ id: user.id, email: ada.email, emailVerified: null }])
    expect(rows("Session")).toMatchObject([{ userId: user.id }])
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      expect((await sessionOf(config, cookie, origin)).session).toMatchObject({
        user: { name: "Ada", email: ada.email },
      })
    }
  })

  test("is of the user who is there, by id or by address", async () => {
    const { adapter, rows } = await database()
    const config = { ...base, adapter }
    const { user } = await mintSessionCookies(config, { name: "Ada", email: ada.email })
    await mintSession(config, { id: user.id ?? "" })
    await mintSession(config, { email: ada.email, name: "Somebody else" })
    expect(rows("User")).toMatchObject([{ name: "Ada" }])
    expect(rows("Session")).toHaveLength(3)
  })

  test("is of somebody without an address too", async () => {
    const { adapter, rows } = await database()
    const config = { ...base, adapter }
    for (const name of ["One", "Two"]) await mintSession(config, { name })
    expect(rows("User")).toMatchObject([{ email: null }, { email: null }])
  })

  test("ends when it is signed out of, and when its time is over", async () => {
    const { adapter, rows } = await database()
    const config = { ...base, adapter, session: { maxAge: 3600 } }
    const alice = browser((request) => Auth(request, config), { origin: "http://app.test" })
    const minted = await mintSessionCookies(config, ada, { url: alice.origin })
    alice.receive(minted.setCookies)
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
    await alice.signOut()
    expect(rows("Session")).toEqual([])
    const cookie = await mintSession(config, ada)
    const late = Date.now() + 3_700_000
    expect((await withClock(late, () => sessionOf(config, cookie))).session).toBeNull()
  })

  test("uses the tokens of the application", async () => {
    const { adapter } = await database()
    const session = { generateSessionToken: () => "a-token-of-my-own" }
    const cookie = await mintSession({ ...base, adapter, session }, ada)
    expect(cookie.split("; ")).toEqual([
      "__Secure-authjs.session-token=a-token-of-my-own",
      "authjs.session-token=a-token-of-my-own",
    ])
  })

  test("is none beside strategy jwt, but the user is stored", async () => {
    const { adapter, rows } = await database()
    const config: AuthConfig = { ...base, adapter, session: { strategy: "jwt" } }
    const { cookie, user } = await mintSessionCookies(config, { name: "Ada", email: ada.email })
    expect(rows("User")).toMatchObject([{ id: user.id }])
    expect(rows("Session")).toEqual([])
    expect((await sessionOf(config, cookie)).session).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("what is missing is named", () => {
  test("a secret, which is not taken from the environment", async () => {
    vi.stubEnv("AUTH_SECRET", secret)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { secret: _, ...without } = base
    await expect(mintSession(without, ada)).rejects.toThrow(MissingSecret)
  })

  test("an adapter for strategy database, and its createUser", async () => {
    const config = { ...base, session: { strategy: "database" as const } }
    await expect(mintSession(config, ada)).rejects.toThrow(MissingAdapter)
    const adapter = { getUser: () => null }
    await expect(mintSession({ ...base, adapter }, ada)).rejects.toThrow("`createUser`")
  })
})

test("a configuration of another library of the contract will do: a short secret, its own problems", async () => {
  const config = { secret: "secret", providers: [() => ({ id: "theirs" })], theme: { logo: 1 } }
  expect(await mintSession(config, ada)).toContain("authjs.session-token=ey")
})

test("what is no configuration, and what is nobody, does not compile", () => {
  const wrong = [
    // @ts-expect-error a secret is text, or several
    () => mintSession({ secret: 42 }, ada),
    // @ts-expect-error there are two strategies
    () => mintSession({ secret, session: { strategy: "cookie" } }, ada),
    // @ts-expect-error a callback is a function
    () => mintSession({ secret, callbacks: { jwt: true } }, ada),
    // @ts-expect-error a name is text
    () => mintSession(base, { name: 42 }),
    // @ts-expect-error there is no such option
    () => mintSession(base, ada, { maxAge: 60 }),
  ]
  expect(wrong).toHaveLength(5)
  const written = () => mintSession({ secret, callbacks: { jwt: ({ token }) => token } }, ada)
  expectTypeOf(written).returns.resolves.toBeString()
})
