import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import type { Express } from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig, secret } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

/** Returns an object that throws if it, or an object in it, is modified. */
function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null) deepFreeze(part)
  }
  return Object.freeze(value)
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  const addSessionPage = (app: Express, path: string, config: MiddlewareAuthConfig) =>
    app.get(path, async (req, res) => void res.json(await getSession(req, config)))

  test("never modifies the configuration", async () => {
    vi.stubEnv("AUTH_SECRET", secret)
    vi.stubEnv("AUTH_SCRIPTED_ID", "client")
    const provider = await createScriptedProvider()
    const { clientId: _, ...oidc } = provider.asOidc()
    const { secret: __, trustHost: ___, ...rest } = createConfig()
    const config = deepFreeze({ ...rest, providers: [...rest.providers, oidc] })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    addSessionPage(app, "/page", config)
    const user = createTestBrowser(await serve(app))
    expect((await user.signIn("credentials", alice)).status).toBe(302)
    expect(await (await user.open("/page")).json()).toMatchObject({ user: { name: "alice" } })
    expect((await user.startSignIn("scripted")).searchParams.get("client_id")).toBe("client")
  })

  test("two configurations with different secrets are independent", async () => {
    const one = createConfig({ secret: "the secret of the one configuration" })
    const other = createConfig({ secret: "the secret of the other configuration" })
    const app = express()
    app.use("/one/auth", MiddlewareAuth(one))
    app.use("/other/auth", MiddlewareAuth(other))
    addSessionPage(app, "/one", one)
    addSessionPage(app, "/other", other)
    const origin = await serve(app)
    const user = createTestBrowser(origin, { basePath: "/one/auth" })
    await user.signIn("credentials", alice)
    const token = user.cookies.get("authjs.session-token")?.value
    const cookie = `authjs.session-token=${token}`
    const sessions = await Promise.all(
      ["/one", "/other", "/one/auth/session", "/other/auth/session"].map(async (path) =>
        (await send(origin, path, { headers: { cookie } })).json(),
      ),
    )
    expect(sessions.map(Boolean)).toEqual([true, false, true, false])
  })

  test("one configuration mounted on two paths has links for each", async () => {
    const provider = await createScriptedProvider()
    const config = createConfig({ providers: [provider.asOidc()] })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use("/api/v1/auth", MiddlewareAuth(config))
    addSessionPage(app, "/page", config)
    const origin = await serve(app)
    const signIns = ["/auth", "/api/v1/auth"].map(async (basePath) => {
      const user = createTestBrowser(origin, { basePath })
      const authorizationUrl = await user.startSignIn(provider)
      expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
        `${origin}${basePath}/callback/scripted`,
      )
      await user.open(provider.approve(authorizationUrl))
      expect(await user.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(await (await user.open("/page")).json()).toEqual(await user.getSession())
    })
    await Promise.all([...signIns, ...signIns])
  })

  test("compiles a configuration once", async () => {
    const warn = vi.fn()
    const config = createConfig({ debug: true, logger: { error() {}, warn, debug() {} } })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    addSessionPage(app, "/page", config)
    const user = createTestBrowser(await serve(app))
    await user.signIn("credentials", alice)
    for (let visit = 0; visit < 5; visit += 1) await user.open("/page")
    expect(warn.mock.calls).toEqual([["debug-enabled"]])
  })

  test("uses origin and path of AUTH_URL, and trusts the host", async () => {
    vi.stubEnv("AUTH_URL", "https://site.example/api/auth/")
    vi.stubEnv("NODE_ENV", "production")
    const { trustHost: _, ...config } = createConfig()
    const app = express()
    app.use(MiddlewareAuth(config))
    const response = await send(await serve(app), "/api/auth/providers")
    const { credentials } = await response.json()
    expect(credentials.signinUrl).toBe("https://site.example/api/auth/signin/credentials")
  })

  test("the mount path overrides the path of AUTH_URL without a warning", async () => {
    vi.stubEnv("AUTH_URL", "https://site.example")
    const warn = vi.fn()
    const app = express()
    app.use("/login", MiddlewareAuth(createConfig({ logger: { error() {}, warn, debug() {} } })))
    app.use(MiddlewareAuth(createConfig()))
    const origin = await serve(app)
    for (const basePath of ["/login", "/auth"]) {
      const { credentials } = await (await send(origin, `${basePath}/providers`)).json()
      expect(credentials.callbackUrl).toBe(`https://site.example${basePath}/callback/credentials`)
    }
    expect(warn).not.toHaveBeenCalled()
  })

  test("every request is refused if the host is not trusted", async () => {
    const config = createConfig({ trustHost: false })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    const origin = await serve(app)
    for (const path of ["session", "csrf", "providers", "signin", "callback/x"]) {
      expect((await send(origin, `/auth/${path}`)).status, path).toBe(500)
    }
  })
})
