/** `canSetCookies: false`: a read that changes nothing, for code whose response can set no cookies. */
import { type AuthConfig, createAuth, getErrorCookies } from "@latchkey/core"
import { AccessTokenError } from "@latchkey/core/errors"
import {
  type JWT,
  type JWTDecodeParams,
  type JWTEncodeParams,
  rotateAccessToken,
} from "@latchkey/core/jwt"
import { createSessionReader } from "@latchkey/core/session-reader"
import { withFrozenTime } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"
import { createProviderTokenApp, tokenLifetime } from "../support/provider-token-app.ts"
import { createRecordApp, pageUrl, readCookies } from "../support/record-app.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const url = "https://app.example/account"
const readOnly = { canSetCookies: false }
const createRequest = (sessionCookie: string) => ({
  headers: new Headers({ cookie: `${sessionCookieName}=${sessionCookie}` }),
  url,
})

/** An application with either strategy, and a function that returns the stored sessions. */
async function openApplication(
  strategy: "jwt" | "database",
  changes: Partial<PasswordAppConfig> = {},
) {
  if (strategy === "jwt") return { ...createPasswordApp(changes), listRows: () => [] }
  const app = await createStoredPasswordApp(changes)
  return { ...app, listRows: () => app.database.prepare('select * from "Session"').all() }
}

test("a read that changes nothing seals no token", async () => {
  const encode = vi.fn(({ token }: JWTEncodeParams) => JSON.stringify(token))
  const decode = ({ token = "" }: JWTDecodeParams): JWT => JSON.parse(token)
  let count = 0
  const jwt = ({ token }: { token: JWT }) => ({ ...token, count: count++ })
  const app = createPasswordApp({ jwt: { encode, decode }, callbacks: { jwt } })
  const request = createRequest(readSessionCookie(await app.openSignedInBrowser()))
  encode.mockClear()
  const auth = createAuth(app.config)
  expect((await auth.getSession(request, readOnly)).session).toMatchObject({
    user: { name: "ada" },
  })
  expect(encode).not.toHaveBeenCalled()
  await auth.getSession(request)
  expect(encode).toHaveBeenCalled()
})

describe.each(["jwt", "database"] as const)(
  "a read that changes nothing, strategy %s",
  (strategy) => {
    test("returns a session that is due for renewal, and does not renew it", async () => {
      const app = await openApplication(strategy, { session: { updateAge: 60, maxAge: 3600 } })
      const auth = createAuth(app.config)
      const request = createRequest(readSessionCookie(await app.openSignedInBrowser()))
      const rows = app.listRows()
      vi.setSystemTime(startTime + 120_000)
      const { session, cookies } = await auth.getSession(request, readOnly)
      expect(session).toMatchObject({
        user: { name: "ada" },
        expires: new Date(startTime + 3_600_000).toISOString(),
      })
      expect(cookies).toEqual([])
      expect(app.listRows()).toEqual(rows)
      expect((await auth.getSession(request)).cookies).not.toEqual([])
    })

    test("leaves an invalid cookie and an expired session alone", async () => {
      const app = await openApplication(strategy, { session: { maxAge: 3600 } })
      const auth = createAuth(app.config)
      const nobody = { session: null, cookies: [] }
      expect(await auth.getSession(createRequest("dead"), readOnly)).toEqual(nobody)
      const request = createRequest(readSessionCookie(await app.openSignedInBrowser()))
      const rows = app.listRows()
      vi.setSystemTime(startTime + 7_200_000)
      expect(await auth.getSession(request, readOnly)).toEqual(nobody)
      expect(app.listRows()).toEqual(rows)
      expect((await auth.getSession(request)).cookies).not.toEqual([])
    })

    test("has no cookies for the response if a callback fails either", async () => {
      let isBroken = false
      const app = await openApplication(strategy, {
        callbacks: {
          jwt: ({ token }) => ({ ...token, count: Number(token["count"] ?? 0) + 1 }),
          session({ session }) {
            if (isBroken) throw new Error("down")
            return session
          },
        },
      })
      const request = createRequest(readSessionCookie(await app.openSignedInBrowser()))
      isBroken = true
      const error: unknown = await createAuth(app.config)
        .getSession(request, readOnly)
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ message: expect.stringContaining("down") })
      expect(getErrorCookies(error)).toEqual([])
    })

    test("does not record that a session was used, and leaves updates to a later read", async () => {
      const updates: unknown[] = []
      const app = await createRecordApp({
        strategy,
        records: { pollInterval: 0, lastSeenInterval: 60 },
        changes: {
          callbacks: {
            jwt: ({ token, session }) => ({ ...token, ...(session && { role: session.role }) }),
            session({ session, newSession, token }) {
              if (newSession) updates.push(newSession)
              return { ...session, role: newSession?.role ?? token?.["role"] }
            },
          },
        },
      })
      const { auth, signIn } = app.startProcess()
      const request = {
        headers: new Headers({ cookie: readCookies(await signIn()) }),
        url: pageUrl,
      }
      const [recorded] = await auth.sessions.list("user-ada")
      await auth.sessions.update(recorded?.id ?? "", { role: "admin" })
      const readTables = () =>
        ["Session", "LatchkeySessionRecord", "LatchkeySessionChange"].map((name) =>
          app.query(`select * from "${name}"`),
        )
      const tables = readTables()
      vi.setSystemTime(startTime + 120_000)
      const other = app.startProcess().auth
      const read = await other.getSession(request, readOnly)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(read).toMatchObject({ session: { user: { name: "ada" } }, cookies: [] })
      expect(readTables()).toEqual(tables)
      if (strategy === "database") expect(updates).toEqual([])
      // A database session receives them with the check after the one that asks the store.
      await vi.waitFor(async () =>
        expect((await other.getSession(request)).session).toMatchObject({ role: "admin" }),
      )
      await vi.waitFor(() => expect(readTables()).not.toEqual(tables))
    })

    test("refuses a session that was ended", async () => {
      const app = await createRecordApp({ strategy })
      const { auth, signIn } = app.startProcess()
      const request = {
        headers: new Headers({ cookie: readCookies(await signIn()) }),
        url: pageUrl,
      }
      await auth.sessions.revokeAll("user-ada")
      const read = await app.startProcess().auth.getSession(request, readOnly)
      expect(read).toEqual({ session: null, cookies: [] })
    })
  },
)

describe("the `jwt` callback", () => {
  async function openRotating() {
    const calls: unknown[] = []
    const callbacks: NonNullable<AuthConfig["callbacks"]> = {
      jwt({ token, canSetCookies, trigger }) {
        calls.push([trigger, canSetCookies])
        return canSetCookies ? { ...token, count: calls.length } : token
      },
    }
    const { config, openSignedInBrowser } = createPasswordApp({ callbacks })
    const request = createRequest(readSessionCookie(await openSignedInBrowser()))
    return { calls, config, callbacks, request }
  }

  test("learns whether what it returns is kept", async () => {
    const { calls, config, request } = await openRotating()
    const auth = createAuth(config)
    expect((await auth.getSession(request)).cookies).toHaveLength(1)
    expect((await auth.getSession(request, readOnly)).cookies).toEqual([])
    expect((await auth.updateSession(request, {})).cookies).toHaveLength(1)
    expect(calls).toEqual([
      ["signIn", true],
      [undefined, true],
      [undefined, false],
      ["update", true],
    ])
  })

  test("learns it from a reader of sessions, too", async () => {
    const { calls, callbacks, request } = await openRotating()
    const reader = createSessionReader({ secret, trustHost: true, callbacks })
    expect((await reader.getSession(request, readOnly)).cookies).toEqual([])
    expect(calls.at(-1)).toEqual([undefined, false])
  })

  test("that uses `rotateAccessToken` requests no tokens that would be lost", async () => {
    const token: JWT = { expires_at: startTime / 1000 - 60, refresh_token: "once" }
    const fetch = vi.fn<typeof globalThis.fetch>()
    const client = { issuer: "https://idp.example", clientId: "c", clientSecret: "s", fetch }
    expect(await rotateAccessToken({ token, ...readOnly }, client)).toBe(token)
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe("an access token in the accounts table", () => {
  const later = <T>(seconds: number, run: () => Promise<T>): Promise<T> =>
    withFrozenTime(Date.now() + seconds * 1000, run)

  test("is returned as long as it is valid, and not refreshed", async () => {
    vi.useRealTimers()
    const { auth, provider, createRequest, readAccount, userId } = await createProviderTokenApp({
      config: { session: { updateAge: 0 } },
    })
    const get = () => auth.getAccessToken(createRequest(), "scripted", readOnly)
    const account = readAccount()
    const token = await later(tokenLifetime - 30, get)
    expect(token).toMatchObject({ accessToken: account["access_token"], cookies: [] })
    const expired = later(tokenLifetime, get)
    await expect(expired).rejects.toThrow(AccessTokenError)
    await expect(expired).rejects.toMatchObject({
      needsSignIn: false,
      hint: expect.stringContaining("{ userId }"),
    })
    expect(provider.tokenRequests).toEqual([])
    expect(readAccount()).toEqual(account)
    const refreshed = await later(tokenLifetime, () => auth.getAccessToken({ userId }, "scripted"))
    expect(refreshed.accessToken).not.toBe(token.accessToken)
    expect(provider.tokenRequests).toHaveLength(1)
  })
})
