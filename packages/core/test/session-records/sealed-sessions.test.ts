/** Sealed sessions are revoked although each process decides on its own, with clocks of its own. */
import type { AuthConfig } from "@latchkey/core"
import { decode, encode, type JWTDecodeParams, type JWTEncodeParams } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createRecordApp, pageUrl, readCookies } from "../support/record-app.ts"

const secret = "a secret of the application, long enough: 1"
const cookieName = "__Secure-authjs.session-token"

const start = Date.UTC(2030, 0, 1)
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => void vi.useRealTimers())

/** Runs work with another clock: that of a server that is ahead, or behind. */
async function withClock<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const now = Date.now()
  vi.setSystemTime(now + seconds * 1000)
  try {
    return await work()
  } finally {
    vi.setSystemTime(now)
  }
}

describe("the clocks of servers", () => {
  test("a sign-in right after all sessions ended on a server whose clock is ahead is valid", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const [first, second] = [app.startProcess(), app.startProcess()]
    await withClock(20, () => first.auth.sessions.revokeAll("user-ada"))
    const ada = await second.signIn()
    expect(await second.check(ada)).toBe("ada")
    expect(await first.check(ada)).toBe("ada")
  })

  test("a session that began on a server whose clock is ahead ends with the others", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await withClock(20, () => second.signIn())
    expect(await first.auth.sessions.revokeAll("user-ada")).toBe(1)
    expect(await first.check(ada)).toBeNull()
    vi.setSystemTime(start + 60_000)
    expect(await second.check(ada)).toBeNull()
  })

  test("all sessions end although a server whose clock is ahead ended others before", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const [first, second] = [app.startProcess(), app.startProcess()]
    await withClock(20, () => first.auth.sessions.revokeAll("user-ada"))
    const ada = await second.signIn()
    await second.auth.sessions.revokeAll("user-ada")
    expect(await first.check(ada)).toBeNull()
    expect(await second.check(ada)).toBeNull()
  })

  test("a change by a server whose clock is behind is noticed", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    expect(await first.check(ada)).toBe("ada")
    const [session] = await second.auth.sessions.list("user-ada")
    await withClock(-20, () => second.auth.sessions.revoke(session?.id ?? ""))
    expect(await first.check(ada)).toBeNull()
  })

  test("a clock that is set back stops no change from being noticed", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    await withClock(3600, () => first.check(ada))
    const [session] = await second.auth.sessions.list("user-ada")
    await second.auth.sessions.revoke(session?.id ?? "")
    expect(await first.check(ada)).toBeNull()
  })
})

test("a session is listed although its record was lost, and others ended in the second of its sign-in", async () => {
  const app = await createRecordApp({ strategy: "jwt" })
  const [first, second] = [app.startProcess(), app.startProcess()]
  vi.setSystemTime(start + 100)
  await first.auth.sessions.revokeAll("user-ada")
  vi.setSystemTime(start + 900)
  const ada = await first.signIn()
  app.query('delete from "LatchkeySessionRecord"')
  expect(await second.check(ada)).toBe("ada")
  await vi.waitFor(() => expect(app.countRecords()).toBe(1))
  expect(await second.auth.sessions.list("user-ada")).toHaveLength(1)
})

test.each(["revoke", "revokeAll", "signOut"] as const)(
  "a copied cookie from before `maxAge` was lowered stays refused after `%s`",
  async (method) => {
    const app = await createRecordApp({ strategy: "jwt" })
    const before = app.startProcess()
    const ada = await before.signIn()
    const copy = readCookies(ada)
    const session = { strategy: "jwt", maxAge: 3600, records: { pollInterval: 0 } } as const
    const after = app.startProcess({ session })
    expect(await after.checkCookie(copy)).toBe("ada")
    const [{ id = "" } = {}] = await after.auth.sessions.list("user-ada")
    if (method === "revoke") await after.auth.sessions.revoke(id)
    else if (method === "revokeAll") await after.auth.sessions.revokeAll("user-ada")
    else await after.auth.signOut({ headers: new Headers({ cookie: copy }), url: pageUrl })
    expect(await after.checkCookie(copy)).toBeNull()
    vi.setSystemTime(start + 86_400_000)
    expect(await after.checkCookie(copy)).toBeNull()
    const later = app.startProcess({ session })
    expect(await later.checkCookie(copy)).toBeNull()
  },
)

describe("a session from before the option", () => {
  const claims = { sub: "user-ada", name: "Ada" }
  const seal = async (token: JWT = claims) =>
    `${cookieName}=${await encode({ token, secret, salt: cookieName })}`

  test("gets the same id in concurrent requests, and a record", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const { auth, checkCookie } = app.startProcess()
    const cookie = await seal()
    const results = await Promise.all(
      [1, 2, 3].map(() => auth.getSession({ headers: new Headers({ cookie }), url: pageUrl })),
    )
    const ids = await Promise.all(
      results.map(async ({ cookies }) => {
        const token = cookies.find(({ name }) => name === cookieName)?.value
        return Object((await decode({ token, secret, salt: cookieName }))?.["sessionFacts"]).id
      }),
    )
    expect(ids).toEqual([expect.any(String), ids[0], ids[0]])
    await expect.poll(() => auth.sessions.list("user-ada")).toMatchObject([{ id: ids[0] }])
    const renewed = results[0]?.cookies.find(({ name }) => name === cookieName)?.value
    await auth.sessions.revoke(ids[0])
    expect(await checkCookie(cookie)).toBeNull()
    expect(await checkCookie(`${cookieName}=${renewed}`)).toBeNull()
  })

  test("ends with its sign-out although its cookie was copied before it was renewed", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const { auth, checkCookie } = app.startProcess()
    const signedInAt = start / 1000
    const copy = await seal({ ...claims, signedInAt })
    vi.setSystemTime(start + 86_400_000)
    const cookie = await seal({ ...claims, signedInAt })
    const other = await seal({ ...claims, signedInAt: signedInAt + 1 })
    await auth.signOut({ headers: new Headers({ cookie }), url: pageUrl })
    expect(await checkCookie(copy)).toBeNull()
    expect(await checkCookie(other)).toBe("Ada")
  })

  test("stays ended after the secret was rotated", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const cookie = await seal()
    const before = app.startProcess()
    await before.auth.signOut({ headers: new Headers({ cookie }), url: pageUrl })
    const after = app.startProcess({ secret: [`${secret}, the next one`, secret] })
    expect(await after.checkCookie(cookie)).toBeNull()
    expect(await after.checkCookie(await seal({ sub: "user-bob", name: "Bob" }))).toBe("Bob")
  })

  test("ends with the others of its user", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const { auth, checkCookie } = app.startProcess()
    const [ada, bob] = [await seal(), await seal({ sub: "user-bob", name: "Bob" })]
    await auth.sessions.revokeAll("user-ada")
    expect(await checkCookie(ada)).toBeNull()
    expect(await checkCookie(bob)).toBe("Bob")
    vi.setSystemTime(start + 2000)
    expect(await checkCookie(await seal())).toBe("Ada")
  })
})

test("a callback that changes or drops claims does not protect a session", async () => {
  const app = await createRecordApp({
    strategy: "jwt",
    changes: { callbacks: { jwt: ({ token }) => ({ name: token.name ?? null, sub: "nobody" }) } },
  })
  const { auth, signIn, check } = app.startProcess()
  const [ada, other] = [await signIn(), await signIn()]
  expect(await check(ada)).toBe("ada")
  const [session] = await auth.sessions.list("user-ada")
  await auth.sessions.revokeAll("user-ada", { except: session?.id })
  expect([await check(ada), await check(other)].filter(Boolean)).toEqual(["ada"])
})

test("a renewed session is refused like the one before", async () => {
  const app = await createRecordApp({
    strategy: "jwt",
    changes: { session: { updateAge: 0 } },
    records: { pollInterval: 0 },
  })
  const { auth, signIn, checkCookie } = app.startProcess({ session: { updateAge: 0 } })
  const ada = await signIn()
  const before = readCookies(ada)
  await ada.getSession()
  const after = readCookies(ada)
  expect(after).not.toBe(before)
  const [session] = await auth.sessions.list("user-ada")
  await auth.sessions.revoke(session?.id ?? "")
  expect(await checkCookie(before)).toBeNull()
  expect(await checkCookie(after)).toBeNull()
})

test("a revocation is kept as long as a token lasts, and no longer", async () => {
  const app = await createRecordApp({ strategy: "jwt" })
  const [first, second] = [app.startProcess(), app.startProcess()]
  const ada = await first.signIn()
  const cookie = readCookies(ada)
  const [session] = await first.auth.sessions.list("user-ada")
  await first.auth.sessions.revoke(session?.id ?? "")
  const days = 24 * 3600 * 1000
  vi.setSystemTime(start + 30 * days - 60_000)
  expect(await second.checkCookie(cookie)).toBeNull()
  const [change] = app.query('select expires from "LatchkeySessionChange"')
  const expires = new Date(change?.["expires"] as number).getTime()
  expect(expires).toBeGreaterThan(start + 30 * days)
  expect(expires).toBeLessThan(start + 31 * days)
})

/** Tokens that do not contain when they end. */
const endlessCodec = {
  encode: ({ token }: JWTEncodeParams) =>
    Buffer.from(JSON.stringify({ iat: Date.now() / 1000, ...token })).toString("base64url"),
  decode: ({ token = "" }: JWTDecodeParams) =>
    JSON.parse(Buffer.from(token, "base64url").toString()),
}

const day = 86_400
const lifetimes: [string, Partial<AuthConfig>][] = [
  ["`jwt.maxAge`", { session: { maxAge: 30 * day }, jwt: { maxAge: 90 * day } }],
  [
    "`session.maxAge`",
    { session: { maxAge: 90 * day }, jwt: { ...endlessCodec, maxAge: 30 * day } },
  ],
]

describe.each(lifetimes)("if tokens last as long as %s, the longer one", (_, changes) => {
  test.each(["revoke", "revokeAll", "signOut"] as const)(
    "a cookie that was copied before `%s` stays refused",
    async (method) => {
      const app = await createRecordApp({ strategy: "jwt", changes })
      const { auth, adapter, signIn } = app.startProcess()
      const copy = readCookies(await signIn())
      const other = readCookies(await signIn("bob"))
      const [{ id = "" } = {}] = await auth.sessions.list("user-ada")
      if (method === "revoke") await auth.sessions.revoke(id)
      else if (method === "revokeAll") await auth.sessions.revokeAll("user-ada")
      else await auth.signOut({ headers: new Headers({ cookie: copy }), url: pageUrl })
      vi.setSystemTime(start + 60 * day * 1000)
      await adapter.deleteExpired(new Date(), 100)
      const { checkCookie } = app.startProcess()
      expect(await checkCookie(other)).toBe("bob")
      expect(await checkCookie(copy)).toBeNull()
    },
  )
})

test("a callback that refuses the session leaves no record", async () => {
  const app = await createRecordApp({
    strategy: "jwt",
    changes: { callbacks: { jwt: ({ token, trigger }) => (trigger === "signIn" ? null : token) } },
  })
  const { auth, signIn, check } = app.startProcess()
  expect(await check(await signIn())).toBeNull()
  expect(await auth.sessions.list("user-ada")).toEqual([])
})
