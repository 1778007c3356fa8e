import { AuthError, getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { assertRefused, createTestBrowser } from "@latchkey/testing"
import type { ErrorRequestHandler } from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { createProxy, createTlsProxy, send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error instanceof AuthError ? 418 : 500).send(error.name)
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  /** Starts an application whose page `/page` shows the session. */
  function serveApplication(trust: unknown, config: MiddlewareAuthConfig = createConfig()) {
    const app = express().set("trust proxy", trust)
    app.use("/auth", MiddlewareAuth(config))
    app.get("/page", (req, res, next) => {
      getSession(req, config).then((session) => void res.json(session), next)
    })
    app.use(errorHandler)
    return serve(app)
  }

  /** Returns the origin of the links. */
  async function findLinkOrigin(address: string, headers: Record<string, string>) {
    const response = await send(address, "/auth/providers", { headers })
    if (response.status !== 200) return response.status
    return new URL((await response.json()).credentials.signinUrl).origin
  }

  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "shown.example" }

  test("ignores forwarded headers if no proxy is trusted", async () => {
    const address = await serveApplication(false)
    const headers = {
      host: "own.example",
      forwarded: "host=evil.example;proto=https",
      ...forwarded,
    }
    expect(await findLinkOrigin(address, headers)).toBe("http://own.example")
  })

  test("ignores forwarded headers of an untrusted address", async () => {
    const address = await serveApplication("10.0.0.0/8")
    expect(await findLinkOrigin(address, { host: "own.example", ...forwarded })).toBe(
      "http://own.example",
    )
  })

  test.each([true, 1, "loopback"])("uses forwarded headers with trust proxy %s", async (trust) => {
    const address = await serveApplication(trust)
    const seen = await findLinkOrigin(address, { host: "inner.example", ...forwarded })
    expect(seen).toBe("https://shown.example")
  })

  test("uses `trust proxy` of the application in which a sub-app is mounted", async () => {
    const app = express().set("trust proxy", true)
    app.use("/inner", express().use("/auth", MiddlewareAuth(createConfig())))
    const response = await send(await serve(app), "/inner/auth/providers", { headers: forwarded })
    const { credentials } = await response.json()
    expect(credentials.signinUrl).toBe("https://shown.example/inner/auth/signin/credentials")
  })

  test("AUTH_URL overrides every header", async () => {
    vi.stubEnv("AUTH_URL", "https://site.example")
    const address = await serveApplication(true)
    const seen = await findLinkOrigin(address, { host: "evil.example", ...forwarded })
    expect(seen).toBe("https://site.example")
    expect(await findLinkOrigin(address, { host: "not/a host" })).toBe("https://site.example")
  })

  test("uses the first of several forwarded values", async () => {
    const address = await serveApplication(true)
    const headers = {
      "x-forwarded-host": "shown.example, inner.example",
      "x-forwarded-proto": "https, http",
    }
    expect(await findLinkOrigin(address, headers)).toBe("https://shown.example")
  })

  test.each([
    "evil.example/path",
    "user@evil.example",
    "evil.example\\x",
    "evil.example?x",
    "evil.example#x",
    "evil .example",
    "evil.example:port",
    "evil.example:99999",
    "[::1",
    "/",
  ])("refuses the host %s, forwarded or not", async (host) => {
    const address = await serveApplication(true)
    expect(await findLinkOrigin(address, { "x-forwarded-host": host })).toBe(400)
    expect(await findLinkOrigin(address, { host })).toBe(400)
    expect((await send(address, "/page", { headers: { host } })).status).toBe(418)
    expect(await findLinkOrigin(address, { host: "own.example" })).toBe("http://own.example")
  })

  test.each(["javascript", "ftp", "ht tp"])("refuses the scheme %s", async (scheme) => {
    const address = await serveApplication(true)
    expect(await findLinkOrigin(address, { "x-forwarded-proto": scheme })).toBe(400)
  })

  test("determines the host for each request", async () => {
    const address = await serveApplication(false)
    const hosts = Array.from({ length: 20 }, (_, index) => `host${index}.example`)
    const seen = await Promise.all(hosts.map((host) => findLinkOrigin(address, { host })))
    expect(seen).toEqual(hosts.map((host) => `http://${host}`))
  })

  const settings = [
    { trust: false, proxied: false, url: undefined },
    { trust: false, proxied: true, url: undefined },
    { trust: true, proxied: true, url: undefined },
    { trust: true, proxied: false, url: undefined },
    { trust: false, proxied: true, url: "https://app.example" },
    { trust: true, proxied: true, url: "https://app.example" },
  ]

  test.each(settings)(
    "the middleware and getSession read the same cookies: %o",
    async (setting) => {
      vi.stubEnv("AUTH_URL", setting.url)
      const address = await serveApplication(setting.trust)
      // A browser without cookie rules, which sends all cookies back.
      const origin = setting.trust || setting.url ? "https://app.example" : "http://app.example"
      const app = setting.proxied
        ? createTlsProxy(address)
        : createProxy(address, ({ host }) => ({ host }))
      const secure = setting.url !== undefined || (setting.trust && setting.proxied)
      const user = createTestBrowser(app, { origin: secure ? origin : "http://app.example" })

      expect((await user.signIn("credentials", alice)).status).toBe(302)
      expect(await user.getSession()).toMatchObject({ user: { name: "alice" } })
      expect(await (await user.open("/page")).json()).toEqual(await user.getSession())
      const names = [...user.cookies].map(({ name }) => name)
      expect(names.every((name) => name.startsWith("__") === secure)).toBe(true)
    },
  )

  test("behind an untrusted proxy, links and cookies are those for http", async () => {
    const user = createTestBrowser(createTlsProxy(await serveApplication(false)), {
      origin: "https://app.example",
    })
    const response = await user.signIn("credentials", alice)
    expect(response.headers.get("location")).toBe("http://app.example")
    expect([...user.cookies].some(({ name }) => name.startsWith("__"))).toBe(false)
    expect(await user.getSession()).toMatchObject({ user: { name: "alice" } })
    expect(await (await user.open("/page")).json()).toEqual(await user.getSession())
  })

  test("behind an untrusted proxy, a form of an old browser is refused", async () => {
    const address = await serveApplication(false)
    const user = createTestBrowser(address)
    const response = await send(address, "/auth/callback/credentials", {
      method: "POST",
      headers: {
        origin: "https://app.example",
        host: "app.example",
        "x-forwarded-proto": "https",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ csrfToken: await user.getCsrfToken(), ...alice }).toString(),
    })
    assertRefused(response, { origin: "http://app.example" })
  })
})
