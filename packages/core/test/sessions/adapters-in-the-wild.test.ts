/** Adapters whose results differ from their types, as those of many applications do. */
import type { Adapter, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { toForeignDate } from "../support/foreign-values.ts"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { ada, createLinkingApp } from "../support/linking-app.ts"
import { openLink } from "../support/open-link.ts"
import { createTestSite, siteOrigin } from "../support/test-site.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")
const day = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: startTime })
  vi.stubEnv("TZ", "America/New_York")
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const times: readonly (readonly [string, (date: Date) => unknown])[] = [
  ["text", (date) => date.toISOString()],
  ["text with a space, as databases write it", (date) => date.toISOString().replace("T", " ")],
  ["text without a time zone", (date) => date.toISOString().replace("T", " ").slice(0, -1)],
  ["milliseconds", (date) => date.getTime()],
  ["milliseconds as text", (date) => String(date.getTime())],
  ["a bigint", (date) => BigInt(date.getTime())],
  ["a date of another realm", toForeignDate],
]

/** Returns records whose `expires` has another type. */
function convertTimes(adapter: Required<Adapter>, convert: (date: Date) => unknown): Adapter {
  const convertRecord = <T extends { expires: Date } | null | undefined>(record: T): T =>
    record && { ...record, expires: convert(record.expires) as Date }
  return {
    ...adapter,
    createSession: async (session) => convertRecord(await adapter.createSession(session)),
    getSessionAndUser: async (token) => {
      const found = await adapter.getSessionAndUser(token)
      return found && { ...found, session: convertRecord(found.session) }
    },
    updateSession: async (session) => convertRecord(await adapter.updateSession(session)),
    useVerificationToken: async (key) => convertRecord(await adapter.useVerificationToken(key)),
  }
}

describe.each(times)("`expires` as %s", (_, convert) => {
  test("is read, renewed and expires", async () => {
    const app = await createLinkingApp()
    Object.assign(app.adapter, convertTimes({ ...app.adapter }, convert))
    const browser = app.openBrowser({ now: () => 0 })
    await browser.signIn(app.work)
    const expires = new Date(startTime + 30 * day)
    expect(await browser.getSession()).toMatchObject({ expires: expires.toISOString() })
    vi.setSystemTime(startTime + 2 * day)
    await browser.getSession()
    expect(browser.setCookieHeaders.join()).toContain(new Date(startTime + 32 * day).toUTCString())
    vi.setSystemTime(startTime + 31 * day)
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
    vi.setSystemTime(startTime + 70 * day)
    expect(await browser.getSession()).toBeNull()
    expect(app.rows("Session")).toEqual([])
  })

  test("is read from the token of a link", async () => {
    const site = await createTestSite()
    const { adapter } = site.config
    Object.assign(adapter ?? {}, convertTimes({ ...adapter } as Required<Adapter>, convert))
    const browser = site.openBrowser()
    await browser.signIn("email", { email: ada.email })
    await browser.open(site.links[0] ?? "")
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
    await browser.signIn("email", { email: ada.email })
    vi.setSystemTime(startTime + 2 * day)
    const late = await openLink(browser, site.links[1] ?? "")
    expect(late.headers.get("location")).toBe(`${siteOrigin}/auth/error?error=Verification`)
  })
})

test.each([null, "soon", "5", 12, {}])("%j as `expires` signs nobody out", async (expires) => {
  const app = await createLinkingApp()
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  const { getSessionAndUser } = app.adapter
  app.adapter.getSessionAndUser = async (token) => {
    const found = await getSessionAndUser(token)
    return (
      found && { ...found, session: { ...found.session, expires } as unknown as AdapterSession }
    )
  }
  expect((await browser.fetch("/auth/session")).status).toBe(503)
  app.adapter.getSessionAndUser = getSessionAndUser
  expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
})

describe.each([null, undefined])("an adapter whose updateSession returns %s", (result) => {
  const createApp = async () => {
    const app = await createLinkingApp({ session: { updateAge: 0 } })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    const { updateSession } = app.adapter
    app.adapter.updateSession = async (session) => {
      await updateSession(session)
      return result
    }
    return { app, browser }
  }

  test("signs nobody out, and extends the session", async () => {
    const { browser } = await createApp()
    vi.setSystemTime(startTime + day)
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
    expect(await browser.getSession()).toMatchObject({
      expires: new Date(startTime + 31 * day).toISOString(),
    })
  })

  test("does not bring a session back that was ended meanwhile", async () => {
    const { app, browser } = await createApp()
    const { updateSession } = app.adapter
    app.adapter.updateSession = async (session) => {
      await app.adapter.deleteSession(session.sessionToken ?? "")
      return updateSession(session)
    }
    expect(await browser.getSession()).toBeNull()
    expect(browser.cookies.has(sessionCookieName)).toBe(false)
  })

  test("keeps the session if it cannot be asked again", async () => {
    const { app, browser } = await createApp()
    const { getSessionAndUser } = app.adapter
    const down = () => Promise.reject(new Error("database is down"))
    vi.spyOn(app.adapter, "getSessionAndUser")
      .mockImplementationOnce(getSessionAndUser)
      .mockImplementationOnce(down)
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
    expect(browser.cookies.has(sessionCookieName)).toBe(true)
    expect(app.log.toText()).toContain("database is down")
  })
})

describe.each(["database", "jwt"] as const)("numeric ids, strategy %s", (strategy) => {
  test("sign in again, link an account and are updated", async () => {
    const app = await createLinkingApp({ session: { strategy } })
    const { rows } = app
    const ids = new Map<string, number>()
    const toNumber = (id: string) => ids.get(id) ?? (ids.set(id, 7 + ids.size).get(id) as number)
    const toText = (id: unknown) => [...ids].find(([, number]) => number === Number(id))?.[0] ?? ""
    const convertUser = <T extends AdapterUser | null>(user: T): T =>
      user && { ...user, id: toNumber(user.id) as unknown as string }
    const { createUserWithAccount: _, getAccount, ...inner } = { ...app.adapter }
    const numeric: Adapter = {
      createUser: async (user) => convertUser(await inner.createUser(user)),
      getUser: async (id) => convertUser(await inner.getUser(toText(id))),
      getUserByEmail: async (email) => convertUser(await inner.getUserByEmail(email)),
      getUserByAccount: async (key) => convertUser(await inner.getUserByAccount(key)),
      updateUser: async (user) =>
        convertUser(await inner.updateUser({ ...user, id: toText(user.id) })),
      linkAccount: async (account) =>
        void (await inner.linkAccount({ ...account, userId: toText(account.userId) })),
      getAccount: async (id, provider) => {
        const account = await getAccount(id, provider)
        return account && { ...account, userId: toNumber(account.userId) as unknown as string }
      },
      createSession: async (session) =>
        inner.createSession({ ...session, userId: toText(session.userId) }),
      getSessionAndUser: async (token) => {
        const found = await inner.getSessionAndUser(token)
        if (!found) return null
        const userId = toNumber(found.session.userId) as unknown as string
        return { session: { ...found.session, userId }, user: convertUser(found.user) }
      },
    }
    Object.assign(app.adapter, numeric, { createUserWithAccount: undefined })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    await browser.signOut()
    await browser.signIn(app.work)
    await browser.signIn(app.club, { link: "true" })
    expect(rows("User")).toHaveLength(1)
    expect(app.listAccounts()).toHaveLength(2)
    expect((await browser.updateSession({})).status).toBe(200)
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  })
})

test("sessions in cookies need only the methods that a sign-in calls", async () => {
  const app = await createLinkingApp({ session: { strategy: "jwt" } })
  const { createUser, getUserByEmail, getUserByAccount, linkAccount } = { ...app.adapter }
  const names = Object.keys(app.adapter)
  Object.assign(app.adapter, Object.fromEntries(names.map((name) => [name, undefined])))
  Object.assign(app.adapter, { createUser, getUserByEmail, getUserByAccount, linkAccount })
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  await browser.signIn(app.work)
  expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  expect(app.log.errorCodes()).toEqual([])
})
