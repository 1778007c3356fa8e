import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import Nodemailer from "@latchkey/express/providers/nodemailer"
import TenantIdp from "@latchkey/express/providers/tenantidp"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  assertRefused,
  createMailbox,
  createScriptedProvider,
  createTestBrowser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { createTlsProxy, serve } from "./support/http.ts"

async function createDatabaseConfig(): Promise<Pick<MiddlewareAuthConfig, "adapter">> {
  const database = openSqlite(":memory:")
  await migrate(database)
  return { adapter: SqlAdapter(database) }
}

const origin = "https://app.example"

describe.each(expressVersions)("Express $major", ({ major, express }) => {
  const mount = major === 4 ? "/auth/*" : "/auth{/*splat}"

  /** Starts an application behind a trusted TLS proxy, with body parsers and a members-only page. */
  async function createApplication(config: MiddlewareAuthConfig) {
    const app = express().set("trust proxy", "loopback")
    app.use(express.json(), express.urlencoded({ extended: true }))
    app.use(mount, MiddlewareAuth(config))
    app.get("/members", async (req, res) => {
      const session = await getSession(req, config)
      if (!session?.user) return res.redirect("/auth/signin")
      res.send(`Hello ${session.user.email}`)
    })
    return createTlsProxy(await serve(app))
  }

  const openMemberPage = async (user: ReturnType<typeof createTestBrowser>) => {
    const response = await user.open("/members")
    return response.status === 200 ? response.text() : response.headers.get("location")
  }

  test.each(["a cookie", "a database"])(
    "OpenID Connect, with the session in %s",
    async (storage) => {
      const provider = await createScriptedProvider()
      const config = createConfig({
        providers: [TenantIdp({ ...provider.asOptions(), tenantId: "t" })],
        ...(storage === "a database" ? await createDatabaseConfig() : {}),
      })
      const ada = createTestBrowser(await createApplication(config))
      expect(await openMemberPage(ada)).toBe("/auth/signin")

      const authorizationUrl = await ada.startSignIn("tenantidp", { callbackUrl: "/members" })
      expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(
        `${origin}/auth/callback/tenantidp`,
      )
      const response = await ada.open(provider.approve(authorizationUrl))
      expect(response.headers.get("location")).toBe(`${origin}/members`)
      expect(await openMemberPage(ada)).toBe("Hello ada@example.com")
      expect(ada.cookies.rejected).toEqual([])

      const session = ada.cookies.get("__Secure-authjs.session-token")
      await ada.signOut()
      expect(await openMemberPage(ada)).toBe("/auth/signin")
      if (storage === "a database" && session) {
        ada.cookies.setUnchecked(origin, `${session.name}=${session.value}; Path=/; Secure`)
        expect(await openMemberPage(ada), "116").toBe("/auth/signin")
      }
    },
  )

  test("a response of the provider by form post", async () => {
    const provider = await createScriptedProvider()
    const authorization = { params: { response_mode: "form_post" } }
    const config = createConfig({ providers: [provider.asOidc({ authorization })] })
    const ada = createTestBrowser(await createApplication(config))
    expect((await ada.signIn(provider)).headers.get("location")).toBe(origin)
    expect(await openMemberPage(ada)).toBe("Hello ada@example.com")
  })

  test("a link by e-mail", async () => {
    await using box = await createMailbox()
    const config = createConfig({
      providers: [Nodemailer({ server: box.server })],
      ...(await createDatabaseConfig()),
    })
    const bob = createTestBrowser(await createApplication(config))
    const emailResponse = await bob.signIn("nodemailer", { email: "bob@example.com" })
    expect(emailResponse.headers.get("location")).toContain(`${origin}/auth/verify-request`)
    const { links } = await box.waitForMail()
    expect(links[0]).toMatch(/^https:\/\/app\.example\/auth\/callback\/nodemailer\?/)
    await bob.open(links[0]!)
    expect(await openMemberPage(bob)).toBe("Hello bob@example.com")
    const other = createTestBrowser(bob.app)
    expect(await (await other.open(links[0]!)).text()).toContain(
      "Continue as <bdi>bob@example.com</bdi>",
    )
    assertRefused(await other.post(links[0]!, { csrfToken: await other.getCsrfToken() }))
  })

  test("credentials: wrong ones redirect to the form, valid ones sign in", async () => {
    const user = createTestBrowser(await createApplication(createConfig()))
    const refusal = await user.signIn("credentials", { ...alice, password: "wrong" })
    assertRefused(refusal)
    expect(refusal.headers.get("location")).toContain("/auth/signin?error=CredentialsSignin&code=")
    expect(await openMemberPage(user)).toBe("/auth/signin")
    await user.signIn("credentials", alice)
    expect(await openMemberPage(user)).toBe("Hello alice@example.com")
  })

  test("a form of another site neither signs in nor out", async () => {
    const user = createTestBrowser(await createApplication(createConfig()))
    const csrfToken = await user.getCsrfToken()
    const from = "https://evil.example"
    const fields = { csrfToken, ...alice }
    assertRefused(await user.post("/auth/callback/credentials", fields, { from }))
    expect(await openMemberPage(user)).toBe("/auth/signin")
  })
})
