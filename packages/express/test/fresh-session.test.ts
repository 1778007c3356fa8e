/** The middleware that asks people to sign in again, and the choice to stay signed in. */
import {
  assertFreshSession,
  getSession,
  MiddlewareAuth,
  requireFreshSession,
  signIn,
} from "@latchkey/express"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

const startTime = Date.parse("2027-01-01T00:00:00.000Z")
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())
const setTime = (seconds: number) => vi.setSystemTime(startTime + seconds * 1000)

const asPage = { headers: { accept: "text/html,*/*;q=0.8" } }
const signInUrl = "/auth/signin?prompt=login&callbackUrl=%2Faccount%3Ftab%3D1"

describe.each(expressVersions)("Express $major", ({ express }) => {
  async function createApplication(changes: Parameters<typeof createConfig>[0] = {}) {
    const provider = await createScriptedProvider()
    const config = createConfig({ session: { rememberMe: true }, ...changes })
    config.providers.push(provider.asOidc())
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use(express.urlencoded({ extended: false }))
    app.use("/account", requireFreshSession(config, { maxAge: 600 }))
    app.all("/account", (_req, res) => void res.send("the account"))
    app.use("/invalid", requireFreshSession(config, { maxAge: 0 }))
    app.use("/check", async (req, res) => {
      try {
        assertFreshSession(await getSession(req, config), 600)
        res.send("fresh")
      } catch (error) {
        res.status(403).send(Object(error).type)
      }
    })
    app.post("/signin", async (req, res) => {
      const { provider, ...fields } = req.body
      res.redirect(303, await signIn(req, config, provider, { fields }))
    })
    const origin = await serve(app)
    return { provider, origin, user: createTestBrowser(origin, { now: () => 0 }) }
  }

  test("sends people to the sign-in page and back, and lets them pass then", async () => {
    const { user, provider } = await createApplication()
    const enter = () => user.fetch("/account?tab=1", asPage)
    const signedOut = await enter()
    expect(signedOut.status).toBe(303)
    expect(signedOut.headers.get("location")).toBe(signInUrl)
    expect(signedOut.headers.get("cache-control")).toContain("no-store")
    await user.signIn(provider)
    expect(await (await enter()).text()).toBe("the account")
    setTime(600)
    expect((await enter()).status).toBe(200)
    setTime(601)
    const stale = await enter()
    expect(stale.headers.get("location")).toBe(signInUrl)
    // The page has forms although the visitor is signed in. They ask the provider to authenticate the visitor again.
    const page = await (await user.open(signInUrl)).text()
    expect(page).toContain("prompt=login&amp;max_age=0")
    const url = await user.startSignIn(
      provider,
      { callbackUrl: "/account?tab=1" },
      { prompt: "login", max_age: "0" },
    )
    const response = await user.open(provider.approve(url))
    expect(response.headers.get("location")).toMatch(/\/account\?tab=1$/)
    expect(await (await enter()).text()).toBe("the account")
    expect(await (await user.fetch("/check")).text()).toBe("fresh")
  })

  test("lets people pass whose provider does not say when it authenticated them", async () => {
    const { user, provider } = await createApplication()
    provider.injectFaults({
      idToken: ({ claims }) => {
        delete claims["auth_time"]
      },
    })
    const again = { prompt: "login", max_age: "0" }
    await user.open(provider.approve(await user.startSignIn(provider, {}, again)))
    expect((await user.fetch("/account", asPage)).status).toBe(200)
  })

  test("does not let people pass whom the provider authenticated long ago", async () => {
    const { user, provider } = await createApplication()
    provider.injectFaults({
      idToken: ({ claims, now }) => {
        claims["auth_time"] = now - 601
      },
    })
    await user.signIn(provider)
    expect((await user.fetch("/account", asPage)).status).toBe(303)
    expect(await (await user.fetch("/check")).text()).toBe("SessionNotFresh")
  })

  test("answers scripts with 401 or 403, and the URL of the sign-in page", async () => {
    const { user, provider } = await createApplication()
    const enter = () => user.fetch("/account?tab=1", { headers: { accept: "application/json" } })
    expect((await enter()).status).toBe(401)
    await user.signIn(provider)
    expect((await enter()).status).toBe(200)
    setTime(601)
    const stale = await enter()
    expect(stale.status).toBe(403)
    expect(await stale.json()).toEqual({ error: "SessionNotFresh", url: signInUrl })
  })

  test.each([
    ["to its page", "/settings?a=b", "%2Fsettings%3Fa%3Db"],
    ["to the start page without one", undefined, "%2F"],
    ["to the start page from another site", "https://evil.example/x", "%2F"],
  ])("leads back after a form %s", async (_, page, callbackUrl) => {
    const { user, origin } = await createApplication()
    const referer = page && new URL(page, origin).href
    const headers = { ...asPage.headers, ...(referer && { referer }) }
    const response = await user.fetch("/account", { method: "POST", headers })
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe(
      `/auth/signin?prompt=login&callbackUrl=${callbackUrl}`,
    )
  })

  test("sends people to the sign-in page of the application", async () => {
    const { user } = await createApplication({ pages: { signIn: "/welcome?x=1" } })
    expect((await user.fetch("/account", asPage)).headers.get("location")).toBe(
      "/welcome?x=1&prompt=login&callbackUrl=%2Faccount",
    )
  })

  test("does not name another host", async () => {
    const { user } = await createApplication()
    const { origin } = user
    const response = await user.fetch(`${origin}/account//evil.example`, asPage)
    expect(response.headers.get("location")).not.toMatch(/callbackUrl=(?!%2Faccount)/)
  })

  test("passes an invalid `maxAge` and outages on as errors", async () => {
    const { user } = await createApplication()
    expect((await user.fetch("/invalid", asPage)).status).toBe(500)
  })

  test("says what is missing if sessions do not know when they began", async () => {
    const database = openSqlite(":memory:")
    await migrate(database)
    const adapter = SqlAdapter(database)
    for (const session of [{}, { absoluteTimeout: 86_400 }]) {
      const { user, provider } = await createApplication({ adapter, session })
      expect((await user.fetch("/account", asPage)).status).toBe(303)
      await user.signIn(provider)
      const response = await user.fetch("/account", asPage)
      if ("absoluteTimeout" in session) expect(response.status).toBe(200)
      else expect(await response.text()).toMatch(/TypeError.*absoluteTimeout/)
    }
  })

  test("sends people to sign in whose session is from before the option was set", async () => {
    const database = openSqlite(":memory:")
    await migrate(database)
    const adapter = SqlAdapter(database)
    const before = await createApplication({ adapter, session: {} })
    await before.user.signIn(before.provider)
    const after = await createApplication({ adapter, session: { absoluteTimeout: 86_400 } })
    for (const { name, value } of before.user.cookies)
      after.user.cookies.setUnchecked(after.origin, `${name}=${value}; Path=/`)
    expect(await after.user.getSession()).not.toBeNull()
    expect((await after.user.fetch("/account", asPage)).status).toBe(303)
  })

  test("passes the choice to stay signed in on", async () => {
    const { user } = await createApplication()
    for (const rememberMe of ["true", "false"]) {
      await user.post("/signin", { provider: "credentials", ...alice, rememberMe })
      const line = user.setCookieHeaders.find((each) => each.includes("session-token=")) ?? ""
      expect(/expires/i.test(line)).toBe(rememberMe === "true")
    }
  })
})
