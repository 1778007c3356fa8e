/** Security cases 153 and 154: the `Host` header is no authority over links, passkeys and cookies. */
import { inspect } from "node:util"
import { findConfigProblems } from "@latchkey/cli/config-problems"
import { type AuthConfig, createAuth, setEnvDefaults } from "@latchkey/core"
import { createAuthResolver } from "@latchkey/core/integration"
import type { RelyingPartyOptions } from "@latchkey/core/providers"
import { createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createMinimalSite, createTestSite, validCredentials } from "../support/test-site.ts"

const origin = "https://app.example"
const evilOrigin = "https://evil.app.example"
const relayingParty: RelyingPartyOptions = { id: "app.example", name: "App" }

describe("a list of hosts in `trustHost`", () => {
  const trustHost = ["app.example", "*.tenant.example", "app.example:8443"]

  test.each([
    "https://app.example",
    "http://app.example",
    "https://APP.example",
    "https://a.tenant.example",
    "https://a.b.tenant.example",
    "https://app.example:8443",
  ])("accepts requests for %s", async (host) => {
    const { app } = createMinimalSite({ trustHost })
    expect((await app(new Request(`${host}/auth/providers`))).status).toBe(200)
  })

  test.each([
    "https://evil.example",
    "https://evil.app.example",
    "https://app.example.evil.example",
    "https://evilapp.example",
    "https://tenant.example",
    "https://eviltenant.example",
    "https://app.example:8444",
    "https://a.tenant.example:8443",
    "https://app.example.",
    "http://localhost:3000",
  ])("refuses requests for %s", async (host) => {
    const { app, log } = createMinimalSite({
      trustHost: [...trustHost, `not-${new URL(host).host}`],
    })
    for (const route of ["session", "signin", "csrf", "providers", "callback/credentials"]) {
      for (const method of ["GET", "POST"]) {
        const response = await app(new Request(`${host}/auth/${route}`, { method }))
        expect(response.status).toBe(400)
        expect(response.headers.getSetCookie()).toEqual([])
        expect(await response.text()).not.toContain("trustHost")
      }
    }
    expect(new Set(log.errorCodes)).toEqual(new Set(["InvalidRequest"]))
    expect(inspect(log.lines, { depth: null })).toContain("trustHost")
  })

  test("logs each of the first 20 refused hosts once, however many requests name others", async () => {
    const { config, log } = createMinimalSite()
    for (let i = 0; i < 50; i += 1) {
      const host = `https://evil${i % 25}.example`
      // Some applications create the configuration for each request.
      const auth = createAuth({ ...config, trustHost: ["logged-once.example"] })
      expect((await auth.handle(new Request(`${host}/auth/session`))).status).toBe(400)
      await expect(auth.getSession({ headers: new Headers(), url: host })).rejects.toThrow(
        "`trustHost`",
      )
    }
    expect(log.errorCodes).toEqual(Array(20).fill("InvalidRequest"))
  })

  test("refuses calls of the application on behalf of such a request", async () => {
    const { config } = createMinimalSite({ trustHost })
    const auth = createAuth(config)
    const headers = new Headers()
    const input = { headers, url: `${evilOrigin}/page` }
    const calls = [
      auth.getSession({ headers, url: input.url }),
      auth.signIn(input, "credentials", { fields: validCredentials }),
      auth.signOut(input),
    ]
    for (const call of calls)
      await expect(call).rejects.toThrow("If the host is yours, add it to `trustHost`.")
  })

  test("is compared with trusted forwarded headers", async () => {
    const { config } = createMinimalSite({ trustHost })
    const { handle } = createAuthResolver({ basePath: "/auth" })(config, {})
    const send = (host: string) =>
      handle(
        new Request("http://internal:3000/auth/csrf", { headers: { "x-forwarded-host": host } }),
      )
    expect((await send("app.example")).status).toBe(200)
    expect((await send("evil.example")).status).toBe(400)
  })

  test.each([
    [[]],
    [["https://app.example"]],
    [["App.example"]],
    [["*"]],
    [["*.*.example"]],
    [["app.example/path"]],
    [["app.example", 5]],
    ["app.example"],
  ])("cannot be %j", async (invalidList) => {
    const config = { trustHost: invalidList } as unknown as Partial<AuthConfig>
    const { app, log } = createMinimalSite(config)
    expect((await app(new Request(`${origin}/auth/session`))).status).toBe(500)
    expect(log.errorCodes[0]).toBe("UntrustedHost")
  })
})

describe("a relying party with `id` and no `origin`", () => {
  const problemsOf = async (config: AuthConfig) =>
    (await findConfigProblems(config)).filter(({ option }) =>
      option.endsWith("relayingParty.origin"),
    )

  test("a forged host gets no sign-in with the passkey of another host", async () => {
    const app = await createPasskeyApp({ development: true }, { relayingParty })
    const victim = app.openPasskeyBrowser()
    await victim.register("ada@example.com")
    // A page on another sub-domain, behind a proxy that passes on any host.
    app.config.development = false
    const lured = app.openPasskeyBrowser(victim.device, { origin: evilOrigin })
    await lured.signIn().catch(() => {})
    app.config.development = true
    expect(await lured.browser.getSession()).toBeNull()
    expect(new Set(app.log.errorCodes())).toEqual(new Set(["InvalidOption"]))
  })

  test("is a configuration problem in production, which names the options", async () => {
    const { config } = await createPasskeyApp({}, { relayingParty })
    const [problem, ...others] = await problemsOf(config)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ level: "error", type: "InvalidOption" })
    expect(problem?.option).toBe("providers.passkey.relayingParty.origin")
    expect(problem?.hint).toMatch(/`relayingParty\.origin`.*AUTH_URL.*`trustHost`/)
  })

  test("leaves out this provider in production, and nothing else", async () => {
    const app = await createPasskeyApp({}, { relayingParty })
    const work = { id: "work", type: "oauth", clientId: "app", clientSecret: "word" } as const
    const endpoints = {
      authorization: "https://work.example/authorize",
      token: "https://work.example/token",
    }
    app.config.providers.push({
      ...work,
      ...endpoints,
      userinfo: "https://work.example/user",
      name: "Work",
    })
    const { browser } = app.openPasskeyBrowser()
    expect(await browser.getSession()).toBeNull()
    const providers = await (await browser.open("/auth/providers")).json()
    expect(Object.keys(providers)).toEqual(["work"])
    expect(await problemsOf(app.config)).toMatchObject([{ provider: "passkey" }])
  })

  test.each<[string, Partial<AuthConfig>]>([
    ["in development", { development: true }],
    ["with a list of hosts", { trustHost: ["app.example"] }],
  ])("works %s", async (_, changes) => {
    const app = await createPasskeyApp(changes, { relayingParty })
    const ada = app.openPasskeyBrowser()
    expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
    expect(getRedirectError(await ada.signIn())).toBeNull()
  })

  test("answers no host outside of a list", async () => {
    const app = await createPasskeyApp({ trustHost: ["app.example"] }, { relayingParty })
    const lured = app.openPasskeyBrowser(undefined, { origin: evilOrigin })
    expect((await lured.requestOptions({ action: "authenticate" })).status).toBe(400)
  })

  test("belongs to the origin of AUTH_URL", async () => {
    const app = await createPasskeyApp({}, { relayingParty })
    setEnvDefaults({ AUTH_URL: `${origin}/auth` }, app.config)
    const ada = app.openPasskeyBrowser()
    expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
    expect(getRedirectError(await ada.signIn())).toBeNull()
    const lured = app.openPasskeyBrowser(ada.device, { origin: evilOrigin })
    expect(getRedirectError(await lured.signIn())).toBe("WebAuthnVerificationError")
  })

  test.each<[string, RelyingPartyOptions]>([
    ["an origin", { ...relayingParty, origin }],
    ["no id, so that a host has its own passkeys only", { name: "App" }],
    ["the id of this machine", { id: "localhost", name: "App" }],
  ])("is no problem with %s", async (_, party) => {
    const { config } = await createPasskeyApp({}, { relayingParty: party })
    expect(await problemsOf(config)).toEqual([])
  })
})

describe("links in e-mails", () => {
  const warning = "email-link-host"
  const open = async (changes: Partial<AuthConfig>, env: Record<string, string> = {}) => {
    const site = await createTestSite(changes)
    setEnvDefaults(env, site.config)
    await site.app(new Request(`${origin}/auth/csrf`))
    return site
  }

  test("that follow the host of the request cause a warning at the start", async () => {
    const { log, config } = await open({})
    expect(log.warningCodes).toEqual([warning])
    expect(inspect(log.lines)).toMatch(/AUTH_URL.*trustHost/)
    expect(await findConfigProblems(config)).toContainEqual(
      expect.objectContaining({ level: "warning", type: warning, option: "trustHost" }),
    )
  })

  test.each<[string, Partial<AuthConfig>, Record<string, string>]>([
    ["in development", { development: true }, {}],
    ["with a list of hosts", { trustHost: ["app.example"] }, {}],
    ["with AUTH_URL", {}, { AUTH_URL: origin }],
    ["without a provider of e-mail", { providers: [] }, {}],
  ])("cause none %s", async (_, changes, env) => {
    const { log, config } = await open(changes, env)
    expect(log.warningCodes).toEqual([])
    for (const each of [config, { ...config }])
      expect((await findConfigProblems(each)).map(({ type }) => type)).not.toContain(warning)
  })

  test("lead to the origin of AUTH_URL, whatever the host of the request is", async () => {
    const site = await open({}, { AUTH_URL: `${origin}/auth` })
    const mallory = createTestBrowser(site.app, { origin: evilOrigin })
    await mallory.signIn("email", { email: "ada@example.com" })
    expect(site.links.map((link) => new URL(link).origin)).toEqual([origin])
  })

  test("are not sent for a host outside of the list", async () => {
    const site = await open({ trustHost: ["app.example"] })
    const response = await site.app(
      new Request(`${evilOrigin}/auth/signin/email`, {
        method: "POST",
        body: new URLSearchParams({ email: "ada@example.com" }),
      }),
    )
    expect(response.status).toBe(400)
    expect(site.links).toEqual([])
  })
})
