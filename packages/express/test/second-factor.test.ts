/** The guard for sessions whose users have proven a second factor. */
import { MiddlewareAuth, requireFreshSession } from "@latchkey/express"
import { recoveryCodes, totp } from "@latchkey/express/second-factor"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

const asPage = { headers: { accept: "text/html,*/*;q=0.8" } }
const asScript = { headers: { accept: "application/json" } }

describe.each(expressVersions)("Express $major", ({ express }) => {
  async function createApplication() {
    const provider = await createScriptedProvider()
    const config = createConfig({
      adapter: SqlAdapter(openSqlite(":memory:"), { migrate: true, secondFactor: true }),
      session: { strategy: "jwt" },
      secondFactor: { methods: [totp(), recoveryCodes()] },
      providers: [provider.asOidc()],
    })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use("/payroll", requireFreshSession(config, { level: 2, maxAge: 900 }))
    app.use("/payroll", (_req, res) => void res.send("the payroll"))
    app.use("/impossible", requireFreshSession(createConfig(), { level: 2 }))
    const origin = await serve(app)
    return { provider, origin, user: createTestBrowser(origin, { now: () => 0 }) }
  }

  test("sends people to the page of the second factor, and back", async () => {
    const { user, provider, origin } = await createApplication()
    const signedOut = await user.fetch("/payroll?tab=1", asPage)
    expect(signedOut.headers.get("location")).toBe("/auth/signin?callbackUrl=%2Fpayroll%3Ftab%3D1")
    await user.signIn(provider)
    const { status, headers } = await user.fetch("/payroll?tab=1", asPage)
    expect(status).toBe(303)
    const pageUrl = headers.get("location") ?? ""
    expect(pageUrl).toBe("/auth/signin/second-factor?step-up=true&callbackUrl=%2Fpayroll%3Ftab%3D1")
    const page = await (await user.open(pageUrl)).text()
    expect(page).toContain("Set up an authenticator app")
    expect(page).toContain(`value="${origin}/payroll?tab=1"`)
  })

  test("answers scripts as RFC 9470 section 3 says", async () => {
    const { user, provider } = await createApplication()
    expect((await user.fetch("/payroll", asScript)).headers.get("www-authenticate")).toBeNull()
    await user.signIn(provider)
    const response = await user.fetch("/payroll", asScript)
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="2", max_age="900"',
    )
    const { error, url } = await response.json()
    expect(error).toBe("SessionNotFresh")
    expect(url).toContain("/auth/signin/second-factor?step-up=true")
  })

  test("says that the option is missing", async () => {
    const { user } = await createApplication()
    const response = await user.fetch("/impossible", asPage)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain("secondFactor")
  })
})
