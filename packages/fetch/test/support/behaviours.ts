/** The behaviours of every framework, as twelve tests. */
import { FetchAuth, type FetchAuthConfig } from "@latchkey/fetch"
import type { EmailConfig } from "@latchkey/fetch/providers"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  type BrowserOptions,
  createScriptedProvider,
  createTestBrowser,
  type FetchHandler,
  getSetCookieNames,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, createConfig, password } from "./config.ts"
import { account, members } from "./routes.ts"

/** Serves the application: a function, or the URL of a server. */
export type OpenApplication = (auth: FetchAuth) => FetchHandler | Promise<string>

const day = 86_400_000
const asPage = { headers: { accept: "text/html,*/*;q=0.8" } }
const asScript = { headers: { accept: "application/json" } }

export interface BehaviourOptions {
  /** Whether guards redirect scripts, too, because the framework's router follows redirects. */
  readonly redirectsScripts?: boolean
  /** Whether the server answers errors of the application by itself, without our cookies. */
  readonly losesErrors?: boolean
}

export function testBehaviours(
  name: string,
  openApplication: OpenApplication,
  { redirectsScripts = false, losesErrors = false }: BehaviourOptions = {},
): void {
  /** Opens browsers that fail if a cache could store a response with a cookie of the library. */
  async function open(config: FetchAuthConfig, options: BrowserOptions = {}) {
    const auth = FetchAuth(config)
    const served = await openApplication(auth)
    const plain = createTestBrowser(served)
    const app: FetchHandler = async (request) => {
      const response = await plain.app(request)
      const hasOurs = response.headers.getSetCookie().some((line) => !line.startsWith("foreign="))
      if (hasOurs) expect(response.headers.get("cache-control")).toContain("no-store")
      return response
    }
    const openBrowser = () => createTestBrowser(app, { origin: plain.origin, ...options })
    return { auth, browser: openBrowser(), openBrowser }
  }

  async function openWithDatabase(config: Partial<FetchAuthConfig> = {}) {
    const database = openSqlite(":memory:")
    database.exec(migrationSql("sqlite", { sessionRecords: true }))
    const adapter = SqlAdapter(database, { sessionRecords: true })
    return { database, ...(await open(createConfig({ adapter, ...config }))) }
  }

  describe(name, () => {
    test("signs in with OpenID Connect, from a form of the application", async () => {
      const provider = await createScriptedProvider()
      const { browser } = await open(createConfig({ providers: [provider.asOidc()] }))
      expect(await (await browser.fetch("/me")).json()).toBeNull()
      const started = await browser.post("/enter", { providerId: "scripted", redirectTo: "/me" })
      expect(started.status).toBe(303)
      const url = new URL(started.headers.get("location") ?? "")
      const ended = await browser.open(provider.approve(url))
      expect(ended.headers.get("location")).toBe(`${browser.origin}/me`)
      expect(await (await browser.fetch("/me")).json()).toMatchObject({
        user: { email: "ada@example.com" },
      })
      expect(browser.cookies.rejected).toEqual([])
    })

    test("signs in with credentials, on the built-in page and in a form", async () => {
      const { browser, openBrowser } = await open(createConfig())
      await browser.signIn("credentials", alice)
      expect(await (await browser.fetch("/me")).json()).toMatchObject({ user: { name: "alice" } })
      const other = openBrowser()
      const form = { providerId: "credentials", user: "bob" }
      const refused = await other.post("/enter", { ...form, password: "wrong" })
      expect(await refused.json()).toEqual({ error: "CredentialsSignin" })
      const foreign = await other.post(
        "/enter",
        { ...form, password },
        { from: "https://evil.example" },
      )
      expect(await foreign.json()).toEqual({ error: "MissingCSRF" })
      const response = await other.post("/enter", { ...form, password, redirectTo: "/me" })
      expect(response.headers.get("location")).toBe("/me")
      expect(await other.getSession()).toMatchObject({ user: { name: "bob" } })
    })

    test("signs in with the code of an e-mail", async () => {
      const codes: string[] = []
      const email: EmailConfig = {
        id: "email",
        name: "Email",
        type: "email",
        sendsCode: true,
        sendVerificationRequest: ({ code = "" }) => void codes.push(code),
      }
      const { browser } = await openWithDatabase({
        providers: [email],
        session: { strategy: "database" },
      })
      const form = { providerId: "email", email: "ada@example.com" }
      await browser.post("/enter", { ...form, redirectTo: "/members" })
      const response = await browser.post("/enter", { providerId: "email", code: codes[0] ?? "" })
      expect(response.headers.get("location")).toBe("/members")
      expect(await (await browser.fetch("/me")).json()).toMatchObject({
        user: { email: form.email },
      })
    })

    test("renews the session with any response", async () => {
      const { browser } = await open(createConfig({ session: { updateAge: 0 } }))
      await browser.signIn("credentials", alice)
      let now = Date.now()
      for (const path of ["/me", "/stream", "/moved", "/cached", "/broken"]) {
        now += day
        const response = await withFrozenTime(now, () => browser.fetch(path))
        if (path === "/broken" && losesErrors) continue
        expect([path, ...getSetCookieNames(response)].join()).toMatch(/authjs\.session-token/)
        if (path === "/stream") {
          expect(await response.text()).toBe("a stream")
          expect(getSetCookieNames(response)).toContain("foreign")
        }
        if (path === "/moved") {
          expect([response.status, response.headers.get("location")]).toEqual([
            302,
            "https://elsewhere.example/",
          ])
        }
        if (path === "/cached") expect(response.headers.get("etag")).toBe('"1"')
      }
    })

    test("updates the session", async () => {
      const { browser } = await open(createConfig())
      await browser.signIn("credentials", alice)
      const foreign = await browser.post(
        "/rename",
        { name: "mallory" },
        { from: "https://evil.example" },
      )
      expect(foreign.ok).toBe(false)
      const renamed = await browser.post("/rename", { name: "Alice Liddell" })
      expect(await renamed.json()).toMatchObject({ user: { name: "Alice Liddell" } })
      expect(await browser.getSession()).toMatchObject({ user: { name: "Alice Liddell" } })
    })

    test("refuses a session that was revoked", async () => {
      const session = { strategy: "jwt", records: { pollInterval: 0 } } as const
      const { auth, browser } = await openWithDatabase({ session })
      await browser.signIn("credentials", alice)
      expect(await (await browser.fetch("/members")).text()).toBe(members)
      await auth.getAuth().sessions.revokeAll("id of alice")
      expect(await (await browser.fetch("/me")).json()).toBeNull()
      expect((await browser.fetch("/members", asPage)).status).toBe(303)
    })

    test("signs out, here and at the provider", async () => {
      const provider = await createScriptedProvider()
      const { browser } = await open(
        createConfig({ providers: [provider.asOidc()], session: { keepIdToken: true } }),
      )
      await browser.signIn(provider)
      const foreign = await browser.post("/leave", {}, { from: "https://evil.example" })
      expect(foreign.ok).toBe(false)
      const response = await browser.post("/leave", { federated: "true" })
      const target = new URL(response.headers.get("location") ?? "")
      expect(target.origin).toBe(provider.issuer)
      expect(await (await browser.fetch("/me")).json()).toBeNull()
      const back = target.searchParams.get("post_logout_redirect_uri")
      const returned = await browser.open(`${back}?state=${target.searchParams.get("state")}`)
      expect(returned.headers.get("location")).toBe(`${browser.origin}/bye`)
    })

    test("refreshes an access token", async () => {
      const provider = await createScriptedProvider({ refreshTokens: "rotated" })
      const session = { strategy: "jwt", providerTokens: true } as const
      const { browser } = await open(createConfig({ providers: [provider.asOidc()], session }))
      await browser.signIn(provider)
      const read = async () => (await browser.fetch("/token")).json()
      const first = await read()
      expect(typeof first).toBe("string")
      const later = Date.now() + 3_600_000
      const second = await withFrozenTime(later, read)
      expect(second).not.toBe(first)
      expect(await withFrozenTime(later, read)).toBe(second) // its cookie was set
    })

    test("guards pages", async () => {
      const { browser } = await open(createConfig({ session: { rememberMe: true } }))
      const refused = await browser.fetch("/members?tab=1", asPage)
      expect(refused.status).toBe(303)
      expect(refused.headers.get("location")).toBe("/auth/signin?callbackUrl=%2Fmembers%3Ftab%3D1")
      expect(refused.headers.get("cache-control")).toContain("no-store")
      const script = await browser.fetch("/members", asScript)
      expect(script.status).toBe(redirectsScripts ? 303 : 401)
      await browser.signIn("credentials", alice)
      expect(await (await browser.fetch("/members")).text()).toBe(members)
      expect(await (await browser.fetch("/account")).text()).toBe(account)
      await withFrozenTime(Date.now() + 601_000, async () => {
        const stale = await browser.fetch("/account", asPage)
        expect(stale.headers.get("location")).toBe(
          "/auth/signin?prompt=login&callbackUrl=%2Faccount",
        )
        const staleScript = await browser.fetch("/account", asScript)
        expect(staleScript.status).toBe(redirectsScripts ? 303 : 403)
        expect(await (await browser.fetch("/members")).text()).toBe(members)
      })
    })

    test("does not take a failing store for a sign-out", async () => {
      const provider = await createScriptedProvider()
      const { database, browser } = await openWithDatabase({
        providers: [provider.asOidc()],
        session: { strategy: "database" },
      })
      await browser.signIn(provider)
      database.close()
      const { size } = browser.cookies
      for (const path of ["/me", "/members", "/account"])
        expect((await browser.fetch(path, asPage)).status).toBeGreaterThanOrEqual(500)
      expect(browser.cookies.size).toBe(size)
    })

    test("does not believe forged headers of a proxy", async () => {
      const provider = await createScriptedProvider()
      const headers = {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "1.2.3.4",
        forwarded: "host=evil.example;proto=https",
      }
      const config = createConfig({ providers: [provider.asOidc()] })
      const { browser } = await open(config, { headers })
      const started = await browser.post("/enter", { providerId: "scripted" })
      const { searchParams } = new URL(started.headers.get("location") ?? "")
      expect(searchParams.get("redirect_uri")).toBe(`${browser.origin}/auth/callback/scripted`)
      const other = await browser.startSignIn(provider)
      expect(other.searchParams.get("redirect_uri")).toBe(
        `${browser.origin}/auth/callback/scripted`,
      )
    })

    test("leaves responses without cookies alone, and shows its page for unknown paths", async () => {
      const { browser } = await open(createConfig())
      const response = await browser.fetch("/stream")
      expect(response.headers.get("cache-control")).toBe("public, max-age=600")
      expect(await response.text()).toBe("a stream")
      const unknown = await browser.open("/auth/unknown", asPage)
      expect(unknown.status).toBe(404)
      expect(await unknown.text()).toContain("<html")
    })
  })
}
