/** Logout tokens end the sessions that they name (OpenID Connect Back-Channel Logout 1.0). */
import { Auth, type AuthConfig, createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createTestBrowser, type IdTokenModifier, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createLogoutApp,
  createRecordingAdapter,
  logoutOrigin,
  logoutPath,
} from "../support/logout-app.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

const records = { pollInterval: 0 }

const createStrategyApp = (strategy: "jwt" | "database", changes: Partial<AuthConfig> = {}) =>
  createLogoutApp({ ...changes, session: { strategy, records } })

describe.each(["jwt", "database"] as const)("a logout token, with strategy %s,", (strategy) => {
  test("ends the sessions of a session at the provider, and no others", async () => {
    const app = await createStrategyApp(strategy)
    const ada = await app.signIn("s1")
    const adaElsewhere = await app.signIn("s1")
    const other = await app.signIn("s2")
    const bob = await app.signIn("s3", "bob")
    const response = await app.logOut({ sid: "s1", sub: "ada" })
    expect(response.status).toBe(200)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toBe("")
    expect(await ada.getSession()).toBeNull()
    expect(await adaElsewhere.getSession()).toBeNull()
    expect(await other.getSession()).not.toBeNull()
    expect(await bob.getSession()).not.toBeNull()
  })

  test("ends no others in a database that compares loosely", async () => {
    const adapter = createRecordingAdapter()
    const found: Awaited<ReturnType<typeof adapter.findSessionRecords>> = []
    const { saveSessionRecord } = adapter
    adapter.saveSessionRecord = async (record) => {
      found.push(record)
      await saveSessionRecord(record)
    }
    adapter.findSessionRecords = async () => found
    const app = await createStrategyApp(strategy, { adapter })
    const ada = await app.signIn("s1")
    const [other, bob] = [await app.signIn("s2"), await app.signIn("s3", "bob")]
    await app.logOut({ sid: "s1" })
    expect(await ada.getSession()).toBeNull()
    expect([await other.getSession(), await bob.getSession()]).not.toContain(null)
    await app.logOut({ sub: "ada" })
    expect(await other.getSession()).toBeNull()
    expect(await bob.getSession()).not.toBeNull()
  })

  test("without `sid`, ends all sessions that the subject began with the provider", async () => {
    const app = await createStrategyApp(strategy)
    await app.signIn("s1")
    await app.signIn(undefined)
    const bob = await app.signIn("s3", "bob")
    expect((await app.logOut({ sub: "ada" })).status).toBe(200)
    expect(await app.countSessions()).toBe(1)
    expect(await bob.getSession()).not.toBeNull()
  })

  test("without `sid`, ends those of a subject whose account has another id", async () => {
    const app = await createLogoutApp(
      { session: { strategy, records } },
      { profile: ({ sub, name }) => ({ id: `id of ${sub}`, name: String(name) }) },
    )
    await app.signIn("s1")
    await app.signIn(undefined)
    const bob = await app.signIn("s3", "bob")
    expect((await app.logOut({ sub: "ada" })).status).toBe(200)
    expect(await app.countSessions()).toBe(1)
    expect(await bob.getSession()).not.toBeNull()
  })

  test.each([
    ["its session at the provider", "s1", { sid: "s1" }],
    ["its subject", "s1", { sub: "ada" }],
    ["its subject, without a session there,", undefined, { sub: "ada" }],
    ["another session of a subject without one", undefined, { sid: "s2", sub: "ada" }],
  ])("for %s refuses a sign-in that is under way", async (_, sid, claims) => {
    let logOut: (() => Promise<Response>) | undefined
    const app = await createStrategyApp(strategy, {
      callbacks: {
        async signIn() {
          expect((await logOut?.())?.status ?? 200).toBe(200)
          logOut = undefined
          return true
        },
      },
    })
    logOut = () => app.logOut(claims)
    await expect(app.signIn(sid)).rejects.toThrow("AccessDenied")
    // The user signs in again.
    expect(await (await app.signIn(sid)).getSession()).not.toBeNull()
  })

  test.each([{ sid: "s2", sub: "ada" }, { sid: "s2" }, { sub: "bob" }])(
    "for %o does not refuse the sign-in of another session that is under way",
    async (claims) => {
      const app = await createStrategyApp(strategy, {
        callbacks: {
          signIn: async () => (await app.logOut(claims)).ok,
        },
      })
      expect(await (await app.signIn("s1")).getSession()).not.toBeNull()
    },
  )

  test("names a session that the ID token did not name: then all such of the subject end", async () => {
    const app = await createStrategyApp(strategy)
    await app.signIn(undefined)
    const named = await app.signIn("s2")
    const bob = await app.signIn(undefined, "bob")
    expect((await app.logOut({ sid: "s1", sub: "ada" })).status).toBe(200)
    expect(await app.countSessions()).toBe(2)
    expect(await named.getSession()).not.toBeNull()
    expect(await bob.getSession()).not.toBeNull()
  })

  test("ends the session in other processes", async () => {
    const app = await createStrategyApp(strategy)
    const ada = await app.signIn("s1")
    const other = createAuth({ ...app.config })
    const cookie = [...ada.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const check = async () =>
      (await other.getSession({ headers: new Headers({ cookie }), url: logoutOrigin })).session
        ?.user?.name
    expect(await check()).toBe("ada")
    await app.logOut({ sid: "s1" })
    expect(await check()).toBeUndefined()
  })

  test("is accepted again after an outage, in which it has ended nothing", async () => {
    const adapter = createRecordingAdapter()
    const app = await createStrategyApp(strategy, { adapter })
    await app.signIn("s1")
    const { findSessionRecords } = adapter
    adapter.findSessionRecords = () => Promise.reject(new Error("the database is gone"))
    const token = await app.provider.createLogoutToken({ sid: "s1" })
    const refused = await app.sendLogoutToken(token)
    expect(refused.status).toBe(503)
    expect(refused.headers.get("cache-control")).toContain("no-store")
    expect(await refused.json()).toEqual({ error: "temporarily_unavailable" })
    expect(await app.countSessions()).toBe(1)
    adapter.findSessionRecords = findSessionRecords
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
    expect((await app.sendLogoutToken(token)).status).toBe(400)
  })

  test.each([
    ["its session at the provider", "s1", { sid: "s1" }],
    ["the subject, without a session there,", undefined, { sid: "s1", sub: "ada" }],
    ["the subject", "s1", { sub: "ada" }],
  ])("for %s ends the session to which another account was added", async (_, sid, claims) => {
    const app = await createStrategyApp(strategy)
    const ada = await app.signIn(sid)
    app.provider.setUser({ sub: "ada at work", name: "ada", sid: "s2" })
    await ada.signIn(app.provider, { link: "true" })
    await app.logOut({ sid: "s2", sub: "ada at work" })
    expect(await ada.getSession()).not.toBeNull()
    expect((await app.logOut(claims)).status).toBe(200)
    expect(await ada.getSession()).toBeNull()
  })

  test("for somebody else does not end it in a database that compares loosely", async () => {
    const adapter = createRecordingAdapter()
    const app = await createStrategyApp(strategy, { adapter })
    const ada = await app.signIn("s1")
    await app.signIn("s3", "bob")
    const [ofBob = null] = await adapter.listSessionRecords(
      String((await adapter.getUserByEmail("bob@example.com"))?.id),
    )
    const { getSessionRecord } = adapter
    adapter.getSessionRecord = () => ofBob
    app.provider.setUser({ sub: "ada at work", name: "ada", sid: "s2" })
    await ada.signIn(app.provider, { link: "true" })
    adapter.getSessionRecord = getSessionRecord
    expect(ofBob).not.toBeNull()
    expect((await app.logOut({ sid: "s3", sub: "bob" })).status).toBe(200)
    expect(await ada.getSession()).not.toBeNull()
  })

  test("ends no session that began with another account of the user", async () => {
    const app = await createStrategyApp(strategy)
    const ada = await app.signIn("s1")
    app.provider.setUser({ sub: "ada at work", name: "ada", sid: "s2" })
    await ada.signIn(app.provider, { link: "true" })
    const work = createTestBrowser(app.app)
    await work.signIn(app.provider)
    expect((await work.getSession())?.user?.name).toBe("ada")
    await app.logOut({ sub: "ada" })
    expect(await work.getSession()).not.toBeNull()
    await app.logOut({ sub: "ada at work" })
    expect(await work.getSession()).toBeNull()
  })
})

describe("a logout token", () => {
  test("without `sid` ends sessions of an application without an adapter", async () => {
    const session = { records: { store: createRecordingAdapter(), pollInterval: 0 } }
    const app = await createLogoutApp({ session })
    delete app.config.adapter
    await app.signIn("s1")
    const bob = await app.signIn("s2", "bob")
    expect((await app.logOut({ sub: "ada" })).status).toBe(200)
    expect(await app.countSessions()).toBe(1)
    expect(await bob.getSession()).not.toBeNull()
  })

  test("is accepted once", async () => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    const token = await app.provider.createLogoutToken({ sid: "s1", sub: "ada" })
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    await app.signIn("s1")
    const replayed = await app.sendLogoutToken(token)
    expect(replayed.status).toBe(400)
    expect(await replayed.json()).toMatchObject({ error_description: expect.stringMatching(/jti/) })
    expect(await app.countSessions()).toBe(1)
  })

  test("is accepted once, whichever process receives it, and whatever its secret", async () => {
    const app = await createLogoutApp()
    const token = await app.provider.createLogoutToken({ sid: "s1" })
    const send = (config: AuthConfig) => {
      const body = new URLSearchParams({ logout_token: token })
      const request = new Request(logoutOrigin + logoutPath, { method: "POST", body })
      return createAuth(config).handle(request)
    }
    const secret = ["a new secret of the application under test", String(app.config.secret)]
    const responses = await Promise.all([
      send({ ...app.config }),
      send({ ...app.config }),
      send({ ...app.config, secret }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test("is accepted once without a database that counts", async () => {
    const { countAttempt: _, resetAttempts: __, ...adapter } = createRecordingAdapter()
    const app = await createLogoutApp({ adapter: adapter as Adapter })
    const token = await app.provider.createLogoutToken({ sid: "s1" })
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    expect((await app.sendLogoutToken(token)).status).toBe(400)
  })

  test("with the `jti` of another provider's token is accepted", async () => {
    const app = await createLogoutApp()
    const other = await createLogoutApp({}, {}, { id: "other", issuer: "https://other.example" })
    const modify: IdTokenModifier = ({ claims }) => void Object.assign(claims, { jti: "1" })
    const config = {
      ...app.config,
      providers: [...app.config.providers, ...other.config.providers],
    }
    const send = async (token: string, id: string) => {
      const body = new URLSearchParams({ logout_token: token })
      const url = `${logoutOrigin}/auth/logout/${id}`
      return (await Auth(new Request(url, { method: "POST", body }), config)) as Response
    }
    const token = await app.provider.createLogoutToken({ sid: "s1" }, modify)
    expect((await send(token, "scripted")).status).toBe(200)
    const otherToken = await other.provider.createLogoutToken({ sid: "s1" }, modify)
    expect((await send(otherToken, "other")).status).toBe(200)
    expect((await send(otherToken, "scripted")).status).toBe(400)
  })

  test.each<[string, IdTokenModifier]>([
    ["no type", ({ header }) => void delete header["typ"]],
    ["the type JWT", ({ header }) => void Object.assign(header, { typ: "JWT" })],
    [
      "the full type",
      ({ header }) => void Object.assign(header, { typ: "application/logout+jwt" }),
    ],
    [
      "several audiences",
      ({ claims, clientId }) => void Object.assign(claims, { aud: ["another client", clientId] }),
    ],
    [
      "a clock that is ahead",
      ({ claims, now }) => void Object.assign(claims, { iat: now + 25, exp: now + 145 }),
    ],
    [
      "a clock that is behind",
      ({ claims, now }) => void Object.assign(claims, { iat: now - 145, exp: now - 25 }),
    ],
    [
      "members in its event",
      ({ claims }) =>
        void Object.assign(claims, {
          events: { "http://schemas.openid.net/event/backchannel-logout": { reason: "left" } },
        }),
    ],
  ])("may have %s", async (_, modify) => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    const token = await app.provider.createLogoutToken({ sid: "s1" }, modify)
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test("may be signed with the client secret only if the definition says so for ID tokens", async () => {
    const client = { id_token_signed_response_alg: "HS256" }
    const signed: IdTokenModifier = async (parts) => {
      parts.header["alg"] = "HS256"
      const algorithm = { name: "HMAC", hash: "SHA-256" }
      const secret = new TextEncoder().encode(parts.clientSecret)
      const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"])
      parts.sign = async (input) =>
        new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(input)))
    }
    const app = await createLogoutApp({}, { client })
    const token = await app.provider.createLogoutToken({ sid: "s1" }, signed)
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    const asymmetric = await app.provider.createLogoutToken({ sid: "s1" })
    expect((await app.sendLogoutToken(asymmetric)).status).toBe(400)
  })

  test("for a session that nobody has is no error", async () => {
    const app = await createLogoutApp()
    expect((await app.logOut({ sid: "unknown", sub: "nobody" })).status).toBe(200)
  })

  test("may be signed with a key that the provider has since rotated in", async () => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    await app.provider.rotateKeys()
    expect((await app.logOut({ sid: "s1" })).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test("ends no session of an account with the same id at another provider", async () => {
    const adapter = createRecordingAdapter()
    const app = await createLogoutApp({ adapter })
    const other = await createLogoutApp(
      { adapter },
      {},
      { id: "other", issuer: "https://other.example" },
    )
    const ada = await app.signIn("s1")
    const token = await other.provider.createLogoutToken({ sid: "s1", sub: "ada" })
    expect((await other.sendLogoutToken(token, "/auth/logout/other")).status).toBe(200)
    expect(await ada.getSession()).not.toBeNull()
  })
})

describe("an ID token is no logout token", () => {
  test("that of a sign-in is refused, with and without a nonce", async () => {
    const app = await createLogoutApp({}, { checks: ["pkce"] })
    let idToken = ""
    app.provider.injectFaults({
      idToken: (parts) => {
        parts.claims["jti"] = "1"
        parts.serialize = (signed) => {
          idToken = signed
          return signed
        }
      },
    })
    await app.signIn("s1")
    expect(idToken).toMatch(/^eyJ/)
    expect((await app.sendLogoutToken(idToken)).status).toBe(400)
    expect(await app.countSessions()).toBe(1)
  })
})

describe("a request with a logout token", () => {
  const send = async (init: RequestInit, path = logoutPath) => {
    const app = await createLogoutApp()
    const ada = await app.signIn("s1")
    const request = new Request(logoutOrigin + path, { method: "POST", ...init })
    const response = (await Auth(request, app.config)) as Response
    return { app, ada, response }
  }

  test.each<[string, (token: string) => RequestInit]>([
    ["JSON", (logout_token) => ({ body: JSON.stringify({ logout_token }) })],
    ["another field", (token) => ({ body: new URLSearchParams({ token }) })],
    [
      "the token twice",
      (token) => ({
        body: new URLSearchParams([
          ["logout_token", token],
          ["logout_token", token],
        ]),
      }),
    ],
    ["nothing", () => ({})],
  ])("is refused with %s", async (_, createInit) => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    const token = await app.provider.createLogoutToken({ sid: "s1" })
    const request = new Request(logoutOrigin + logoutPath, {
      method: "POST",
      ...createInit(token),
    })
    const response = (await Auth(request, app.config)) as Response
    expect(response.status).toBe(400)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(await app.countSessions()).toBe(1)
  })

  test("is refused in the query, which logs and caches keep", async () => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    const token = await app.provider.createLogoutToken({ sid: "s1" })
    const { response } = await send({}, `${logoutPath}?logout_token=${token}`)
    expect(response.status).toBe(400)
    const opened = await app.app(new Request(`${logoutOrigin}${logoutPath}?logout_token=${token}`))
    expect(opened.headers.get("location")).toBe(logoutOrigin)
    expect(await app.countSessions()).toBe(1)
  })

  test("needs no cookie, and is accepted from a server of another origin", async () => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    const logout_token = await app.provider.createLogoutToken({ sid: "s1" })
    const request = new Request(logoutOrigin + logoutPath, {
      method: "POST",
      body: new URLSearchParams({ logout_token }),
      headers: { origin: "https://idp.example", "sec-fetch-site": "cross-site" },
    })
    expect(((await Auth(request, app.config)) as Response).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test("logs no part of the token", async () => {
    const app = await createLogoutApp()
    const token = await app.provider.createLogoutToken({ sid: "s1" }, ({ claims }) => {
      claims["aud"] = "another client"
    })
    await app.sendLogoutToken(token)
    const log = app.readLog()
    expect(log).toContain("InvalidLogoutToken")
    expect(token.split(".").filter((part) => log.includes(part))).toEqual([])
  })

  test("for another client costs no request to the provider", async () => {
    const app = await createLogoutApp()
    for (let count = 0; count < 20; count += 1) {
      const token = await app.provider.createLogoutToken({ sid: "s1" }, ({ claims }) => {
        claims["aud"] = "another client"
      })
      await app.sendLogoutToken(token)
    }
    expect(app.provider.requests).toHaveLength(0)
  })

  test("with unknown keys makes the library fetch the keys once more, not each time", async () => {
    const app = await createLogoutApp()
    await app.logOut({ sid: "s1" })
    expect(app.provider.jwksRequests).toHaveLength(1)
    for (let count = 0; count < 20; count += 1) {
      const token = await app.provider.createLogoutToken({ sid: "s1" }, ({ header }) => {
        header["kid"] = `unknown ${count}`
      })
      expect((await app.sendLogoutToken(token)).status).toBe(400)
    }
    expect(app.provider.jwksRequests).toHaveLength(2)
    expect(app.provider.discoveryRequests).toHaveLength(1)
  })

  test.each(["discovery", "jwks"] as const)(
    "may be repeated if %s fails, of which the token is not guilty",
    async (endpoint) => {
      const app = await createLogoutApp()
      const token = await app.provider.createLogoutToken({ sid: "s1" })
      app.provider.overrideEndpoint(endpoint, new Response("down", { status: 503 }))
      const refused = await app.sendLogoutToken(token)
      expect(refused.status).toBeGreaterThanOrEqual(500)
      expect(await refused.json()).toEqual({
        error: expect.stringMatching(/^(?:temporarily|server)/),
      })
      app.provider.clearFaults()
      expect((await app.sendLogoutToken(token)).status).toBe(200)
    },
  )

  test("is refused when its time is over, also if nobody knows its `jti` any more", async () => {
    const app = await createLogoutApp()
    const token = await app.provider.createLogoutToken({ sid: "s1" }, ({ claims, now }) => {
      claims["exp"] = now + 86_400
    })
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    for (const seconds of [300, 620, 640, 3600]) {
      const later = Date.now() + seconds * 1000
      const response = await withFrozenTime(later, () => app.sendLogoutToken(token))
      expect([seconds, response.status]).toEqual([seconds, 400])
    }
  })
})

describe("without the feature,", () => {
  test("a logout token meets an unknown action, and the log says how to enable it", async () => {
    const app = await createLogoutApp({ session: { records: false } })
    await app.signIn("s1")
    const response = await app.logOut({ sid: "s1" })
    expect(response.status).toBe(400)
    expect(await response.json()).toBe("Bad request.")
    expect(await app.countSessions()).toBe(1)
    expect(app.readLog()).toContain("session: { records: true }")
  })

  test.each([
    "/auth/logout/unknown",
    "/auth/logout/credentials",
    "/auth/logout/scripted/x",
    "/auth/logout",
  ])("%s is unknown", async (path) => {
    const provider = (await createLogoutApp()).provider
    const credentials = {
      id: "credentials",
      name: "Password",
      type: "credentials",
      credentials: {},
      authorize: () => null,
    } as const
    const app = await createOAuthApp([provider.asOidc(), credentials])
    const body = new URLSearchParams({ logout_token: "x" })
    const post = await app.app(new Request(logoutOrigin + path, { method: "POST", body }))
    expect([post.status, await post.json()]).toEqual([400, "Bad request."])
    const headers = { accept: "text/html" }
    const page = await app.app(new Request(logoutOrigin + path, { headers }))
    expect(page.status).toBe(404)
    expect(page.headers.getSetCookie()).toEqual([])
  })

  test("no other method is accepted", async () => {
    const app = await createLogoutApp()
    for (const method of ["PUT", "DELETE", "HEAD"]) {
      const response = await app.app(new Request(logoutOrigin + logoutPath, { method }))
      expect([method, response.status]).toEqual([method, 405])
    }
  })
})

test("the events of a sign-out are for sign-outs of the user", async () => {
  const signOut = vi.fn()
  const app = await createLogoutApp({ events: { signOut } })
  await app.signIn("s1")
  await app.logOut({ sid: "s1" })
  expect(signOut).not.toHaveBeenCalled()
})
