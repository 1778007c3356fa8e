/** Logout at the provider, and requests of its server, in Express. */
import { MiddlewareAuth, signOut } from "@latchkey/express"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { bodyParsers, expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

describe.each(expressVersions)("Express $major", ({ express }) => {
  test("`signOut` leads to the provider, and back through the middleware", async () => {
    const provider = await createScriptedProvider()
    const config = createConfig({ providers: [provider.asOidc()] })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.post("/leave", (req, res, next) => {
      signOut(req, config, { federated: true, redirectTo: "/bye" }).then(
        (url) => res.redirect(303, url),
        next,
      )
    })
    const origin = await serve(app)
    const ada = createTestBrowser(origin)
    await ada.signIn(provider)
    const response = await ada.post("/leave", {})
    const target = new URL(response.headers.get("location") ?? "")
    expect(target.origin).toBe(provider.issuer)
    const back = target.searchParams.get("post_logout_redirect_uri")
    expect(back).toBe(`${origin}/auth/logout/scripted`)
    expect(await ada.getSession()).toBeNull()
    const returned = await ada.open(`${back}?state=${target.searchParams.get("state")}`)
    expect(returned.headers.get("location")).toBe(`${origin}/bye`)
  })

  test.each(Object.entries(bodyParsers))(
    "a logout token is read after %s",
    async (_, createParsers) => {
      const provider = await createScriptedProvider()
      const database = openSqlite(":memory:")
      database.exec(migrationSql("sqlite", { sessionRecords: true }))
      const store = SqlAdapter(database, { sessionRecords: true })
      const config = createConfig({
        providers: [provider.asOidc()],
        session: { records: { store } },
      })
      const app = express()
      app.use(...createParsers(express), (_req, _res, next) => next())
      app.use("/auth", MiddlewareAuth(config))
      const origin = await serve(app)
      const send = async (logout_token: string) => {
        const body = new URLSearchParams({ logout_token })
        const response = await fetch(`${origin}/auth/logout/scripted`, { method: "POST", body })
        return [response.status, await response.text()]
      }
      expect(await send(await provider.createLogoutToken({ sid: "s1" }))).toEqual([200, ""])
      const [status, text] = await send("no token")
      expect([status, JSON.parse(String(text)).error]).toEqual([400, "invalid_request"])
    },
  )

  test("an application has its own page at /logout, also with the base path /", async () => {
    const app = express()
    app.use(MiddlewareAuth(createConfig({ basePath: "/" })))
    app.get("/logout", (_req, res) => void res.send("the application's page"))
    const origin = await serve(app)
    expect(await (await fetch(`${origin}/logout`)).text()).toBe("the application's page")
    expect((await fetch(`${origin}/logout/scripted`)).status).toBe(400)
  })
})
