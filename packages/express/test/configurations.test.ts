import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { browser, scriptedProvider } from "@latchkey/testing"
import type { Express } from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, configOf, secret } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

/** Fails on every write, however deep. */
function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null) frozen(part)
  }
  return Object.freeze(value)
}

describe.each(majors)("Express $major", ({ express }) => {
  const page = (app: Express, path: string, config: MiddlewareAuthConfig) =>
    app.get(path, async (req, res) => void res.json(await getSession(req, config)))

  test("26 never writes to the configuration", async () => {
    vi.stubEnv("AUTH_SECRET", secret)
    vi.stubEnv("AUTH_SCRIPTED_ID", "client")
    const provider = await scriptedProvider()
    const { clientId: _, ...oidc } = provider.asOidc()
    const { secret: __, trustHost: ___, ...rest } = configOf()
    const config = frozen({ ...rest, providers: [...rest.providers, oidc] })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    page(app, "/page", config)
    const person = browser(await serve(app))
    expect((await person.signIn("credentials", alice)).status).toBe(302)
    expect(await (await person.open("/page")).json()).toMatchObject({ user: { name: "alice" } })
    expect((await person.begin("scripted")).searchParams.get("client_id")).toBe("client")
  })

  test("26 two configurations with two secrets do not influence each other", async () => {
    const one = configOf({ secret: "the secret of the one configuration" })
    const other = configOf({ secret: "the secret of the other configuration" })
    const app = express()
    app.use("/one/auth", MiddlewareAuth(one))
    app.use("/other/auth", MiddlewareAuth(other))
    page(app, "/one", one)
    page(app, "/other", other)
    const origin = await serve(app)
    const person = browser(origin, { basePath: "/one/auth" })
    await person.signIn("credentials", alice)
    const token = person.cookies.get("authjs.session-token")?.value
    const cookie = `authjs.session-token=${token}`
    const shown = await Promise.all(
      ["/one", "/other", "/one/auth/session", "/other/auth/session"].map(async (path) =>
        (await send(origin, path, { headers: { cookie } })).json(),
      ),
    )
    expect(shown.map(Boolean)).toEqual([true, false, true, false])
  })

  test("26 one configuration on two paths has links to both", async () => {
    const provider = await scriptedProvider()
    const config = configOf({ providers: [provider.asOidc()] })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use("/api/v1/auth", MiddlewareAuth(config))
    page(app, "/page", config)
    const origin = await serve(app)
    const visits = ["/auth", "/api/v1/auth"].map(async (basePath) => {
      const person = browser(origin, { basePath })
      const begun = await person.begin(provider)
      expect(begun.searchParams.get("redirect_uri")).toBe(`${origin}${basePath}/callback/scripted`)
      await person.open(provider.approve(begun))
      expect(await person.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(await (await person.open("/page")).json()).toEqual(await person.session())
    })
    await Promise.all([...visits, ...visits])
  })

  test("compiles a configuration once", async () => {
    const warn = vi.fn()
    const config = configOf({ debug: true, logger: { error() {}, warn, debug() {} } })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    page(app, "/page", config)
    const person = browser(await serve(app))
    await person.signIn("credentials", alice)
    for (let visit = 0; visit < 5; visit += 1) await person.open("/page")
    expect(warn.mock.calls).toEqual([["debug-enabled"]])
  })

  test("20 takes origin and path from AUTH_URL, and trusts it", async () => {
    vi.stubEnv("AUTH_URL", "https://site.example/api/auth/")
    vi.stubEnv("NODE_ENV", "production")
    const { trustHost: _, ...config } = configOf()
    const app = express()
    app.use(MiddlewareAuth(config))
    const answer = await send(await serve(app), "/api/auth/providers")
    const { credentials } = await answer.json()
    expect(credentials.signinUrl).toBe("https://site.example/api/auth/signin/credentials")
  })

  test("the mount wins over the path of AUTH_URL, quietly", async () => {
    vi.stubEnv("AUTH_URL", "https://site.example")
    const warn = vi.fn()
    const app = express()
    app.use("/login", MiddlewareAuth(configOf({ logger: { error() {}, warn, debug() {} } })))
    app.use(MiddlewareAuth(configOf()))
    const origin = await serve(app)
    for (const basePath of ["/login", "/auth"]) {
      const { credentials } = await (await send(origin, `${basePath}/providers`)).json()
      expect(credentials.callbackUrl).toBe(`https://site.example${basePath}/callback/credentials`)
    }
    expect(warn).not.toHaveBeenCalled()
  })

  test("18 without trust in the host, every request is refused", async () => {
    const config = configOf({ trustHost: false })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    const origin = await serve(app)
    for (const path of ["session", "csrf", "providers", "signin", "callback/x"]) {
      expect((await send(origin, `/auth/${path}`)).status, path).toBe(500)
    }
  })
})
