/** Tests applications that use Auth.js with `@latchkey/testing`. */
import { Auth, type AuthConfig, customFetch } from "@auth/core"
import type { Adapter } from "@auth/core/adapters"
import credentials from "@auth/core/providers/credentials"
import nodemailer from "@auth/core/providers/nodemailer"
import { Auth as Latchkey } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  assertRefused,
  createMailbox,
  createScriptedProvider,
  createTestBrowser,
  createTestSession,
  createTestSessionCookies,
  type ProviderFaults,
  type ScriptedProvider,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"

type Config = Omit<AuthConfig, "raw">

const secret = "the secret of an application of Auth.js"
const silentLogger = { error: () => undefined, warn: () => undefined }
const day = 86_400_000
const ada = { id: "ada", name: "Ada", email: "ada@example.com", image: "https://x.example/ada" }

function createConfig(changes: Partial<Config> = {}): Config {
  return { secret, trustHost: true, providers: [], logger: silentLogger, ...changes }
}

const openBrowser = (config: Config) => createTestBrowser((request) => Auth(request, config))

/** In process, with the `customFetch` symbol of the library under test. */
const inProcessFetch = (provider: ScriptedProvider) => ({ [customFetch]: provider.fetch })

async function openDatabase() {
  const sqlite = openSqlite(":memory:")
  onTestFinished(() => sqlite.close())
  await migrate(sqlite)
  const count = (table: "User" | "Session") =>
    sqlite.prepare(`select * from "${table}"`).all().length
  // Latchkey's accounts may have more members than those of Auth.js, so these three methods return nothing here.
  const { linkAccount, unlinkAccount: _, getAccount: __, ...others } = SqlAdapter(sqlite)
  const adapter: Adapter = {
    ...others,
    linkAccount: async (account) => void (await linkAccount(account)),
  }
  return { adapter, count }
}

describe("the scripted provider and the browser", () => {
  test.each(["asOidc", "asOAuth"] as const)("sign in and out in process: %s", async (kind) => {
    const provider = await createScriptedProvider()
    const changes = inProcessFetch(provider)
    const providerConfig = kind === "asOidc" ? provider.asOidc(changes) : provider.asOAuth(changes)
    const config = createConfig({ providers: [providerConfig] })
    const browser = openBrowser(config)
    const response = await browser.signIn(provider, { callbackUrl: "/home" })
    expect(response.headers.get("location")).toBe("https://app.example/home")
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(provider.tokenRequests).toMatchObject([{ clientAuth: "client_secret_basic" }])
    expect(browser.cookies.rejected).toEqual([])
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
  })

  test.each(["asOidc", "asOAuth"] as const)("sign in on a port: %s", async (kind) => {
    await using provider = await createScriptedProvider()
    await provider.listen()
    const browser = openBrowser(createConfig({ providers: [provider[kind]()] }))
    await browser.signIn(provider)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(provider.userinfoRequests).toHaveLength(kind === "asOAuth" ? 1 : 0)
  })

  const faults: ProviderFaults[] = [
    { response: "iss-other" },
    { response: "state-other" },
    { idToken: "aud-other" },
    { token: "status-500" },
    { discovery: "issuer-other" },
  ]
  test.each(faults)("report how the library handles a fault of the provider: %j", async (fault) => {
    const provider = await createScriptedProvider()
    const oidc = provider.asOidc({
      ...inProcessFetch(provider),
      checks: ["pkce", "state"] as const,
    })
    const config = createConfig({ providers: [{ ...oidc, checks: [...oidc.checks] }] })
    const browser = openBrowser(config)
    provider.injectFaults(fault)
    const csrfToken = await browser.getCsrfToken()
    const startResponse = await browser.post(browser.getRoutePath("signin/scripted"), { csrfToken })
    const to = new URL(startResponse.headers.get("location") ?? "")
    const callbackResponse =
      to.origin === browser.origin ? startResponse : await browser.open(provider.approve(to))
    assertRefused(callbackResponse, { allowedCookies: /callback-url/ })
    expect(await browser.getSession()).toBeNull()
    provider.clearFaults()
    await browser.signIn(provider)
    expect(await browser.getSession()).not.toBeNull()
  })
})

describe("a test session", () => {
  const sessionOf = async (config: Config, cookie: string, origin = "https://app.example") => {
    const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
    return (await Auth(request, config)).json()
  }
  const user = { name: "Ada", email: "ada@example.com", image: "https://x.example/ada" }

  test.each(["https://app.example", "http://localhost:3000"])("is valid at %s", async (origin) => {
    const config = createConfig()
    expect(await sessionOf(config, await createTestSession(config, ada), origin)).toMatchObject({
      user,
    })
  })

  test("calls the application's callbacks, and uses several cookies", async () => {
    const config = createConfig({
      callbacks: {
        jwt: ({ token, account }) =>
          account ? { ...token, access: account.access_token, much: "x".repeat(8000) } : token,
        session: ({ session, token }) => ({ ...session, access: token["access"], id: token.sub }),
      },
    })
    const { cookie, setCookieHeaders } = await createTestSessionCookies(config, ada, {
      url: "https://app.example",
      account: { provider: "github", type: "oauth", access_token: "gho_1" },
    })
    expect(setCookieHeaders.length).toBeGreaterThan(2)
    expect(await sessionOf(config, cookie)).toMatchObject({ user, access: "gho_1", id: "ada" })
    const browser = openBrowser(config)
    browser.storeCookies(setCookieHeaders)
    expect(browser.cookies.rejected).toEqual([])
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
  })

  test.each<[string, Partial<Config>]>([
    ["several secrets", { secret: [secret, "an older secret of the same application"] }],
    ["a short secret, which is its own affair", { secret: "secret" }],
    ["a cookie of its own name", { cookies: { sessionToken: { name: "sid" } } }],
    ["secure cookies everywhere", { useSecureCookies: true }],
    [
      "a codec of its own",
      {
        jwt: {
          encode: ({ token }) => btoa(JSON.stringify(token)),
          decode: ({ token }) => JSON.parse(atob(token ?? "")),
        },
      },
    ],
  ])("follows the configuration: %s", async (_, changes) => {
    const config = createConfig(changes)
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      expect(await sessionOf(config, await createTestSession(config, ada), origin)).toMatchObject({
        user,
      })
    }
  })

  test("is a database row, and creates the user", async () => {
    const { adapter, count } = await openDatabase()
    const config = createConfig({ adapter })
    const testSession = await createTestSessionCookies(config, {
      name: "Ada",
      email: "ada@example.com",
    })
    expect([count("User"), count("Session")]).toEqual([1, 1])
    expect(await sessionOf(config, testSession.cookie)).toMatchObject({ user: { name: "Ada" } })
    const browser = openBrowser(config)
    browser.storeCookies(
      testSession.setCookieHeaders.filter((line) => line.startsWith("__Secure-")),
    )
    await browser.signOut()
    expect([count("User"), count("Session")]).toEqual([1, 0])
    expect(await sessionOf(config, testSession.cookie)).toBeNull()
  })

  test.each(["jwt", "database"] as const)("expires by the frozen clock: %s", async (strategy) => {
    const { adapter } = await openDatabase()
    const config = createConfig({ adapter, session: { strategy, maxAge: 3600 } })
    const cookie = await createTestSession(config, { email: "ada@example.com" })
    expect(await sessionOf(config, cookie)).not.toBeNull()
    expect(await withFrozenTime(Date.now() + day, () => sessionOf(config, cookie))).toBeNull()
    const old = await withFrozenTime(Date.now() - day, () =>
      createTestSession(config, { email: "b@x.example" }),
    )
    expect(await sessionOf(config, old)).toBeNull()
  })
})

test("the provider detects that Auth.js accepts a signature by any key", async () => {
  const provider = await createScriptedProvider()
  const config = createConfig({ providers: [provider.asOidc(inProcessFetch(provider))] })
  provider.injectFaults({ idToken: "key-foreign" })
  const authjsBrowser = openBrowser(config)
  await authjsBrowser.signIn(provider)
  expect(await authjsBrowser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
  const latchkeyConfig = {
    secret,
    trustHost: true,
    providers: [provider.asOidc()],
    logger: silentLogger,
  }
  const latchkeyBrowser = createTestBrowser((request) => Latchkey(request, latchkeyConfig))
  assertRefused(await latchkeyBrowser.signIn(provider))
  expect(await latchkeyBrowser.getSession()).toBeNull()
})

// Runs last, because Auth.js remembers for the whole process that a configuration had such a provider.
describe("with credentials and e-mail", () => {
  test("a credentials form signs in", async () => {
    const authorize = ({ name }: Partial<Record<string, unknown>>) =>
      name === "ada" ? { id: "1", name: "Ada" } : null
    const config = createConfig({
      providers: [credentials({ credentials: { name: {} }, authorize })],
    })
    const browser = openBrowser(config)
    assertRefused(await browser.signIn("credentials", { name: "bob" }))
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("the mailbox receives the link, which signs in once", async () => {
    await using testMailbox = await createMailbox()
    const { adapter, count } = await openDatabase()
    const config = createConfig({
      adapter,
      providers: [nodemailer({ server: { ...testMailbox.server }, from: "door@app.example" })],
    })
    const browser = openBrowser(config)
    await browser.signIn("nodemailer", { email: "ada@example.com" })
    const mail = await testMailbox.waitForMail()
    expect(mail.to).toEqual(["ada@example.com"])
    await browser.open(testMailbox.getLatestLink())
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect([count("User"), count("Session")]).toEqual([1, 1])
    assertRefused(await openBrowser(config).open(testMailbox.getLatestLink()), {
      allowedCookies: /callback-url|csrf/,
    })
  })
})
