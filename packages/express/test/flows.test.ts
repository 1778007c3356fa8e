import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import Nodemailer from "@latchkey/express/providers/nodemailer"
import TenantIdp from "@latchkey/express/providers/tenantidp"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { assertRefused, browser, mailbox, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { serve, tlsProxy } from "./support/http.ts"

async function stored(): Promise<Pick<MiddlewareAuthConfig, "adapter">> {
  const database = openSqlite(":memory:")
  await migrate(database)
  return { adapter: SqlAdapter(database) }
}

const origin = "https://app.example"

describe.each(majors)("Express $major", ({ major, express }) => {
  const mount = major === 4 ? "/auth/*" : "/auth{/*splat}"

  /** An application behind a TLS proxy that it trusts, with body parsers, and a page for members. */
  async function application(config: MiddlewareAuthConfig) {
    const app = express().set("trust proxy", "loopback")
    app.use(express.json(), express.urlencoded({ extended: true }))
    app.use(mount, MiddlewareAuth(config))
    app.get("/members", async (req, res) => {
      const session = await getSession(req, config)
      if (!session?.user) return res.redirect("/auth/signin")
      res.send(`Hello ${session.user.email}`)
    })
    return tlsProxy(await serve(app))
  }

  const memberPage = async (person: ReturnType<typeof browser>) => {
    const answer = await person.open("/members")
    return answer.status === 200 ? answer.text() : answer.headers.get("location")
  }

  test.each(["a cookie", "a database"])("OpenID Connect, with the session in %s", async (kept) => {
    const provider = await scriptedProvider()
    const config = configOf({
      providers: [TenantIdp({ ...provider.asOptions(), tenantId: "t" })],
      ...(kept === "a database" ? await stored() : {}),
    })
    const ada = browser(await application(config))
    expect(await memberPage(ada)).toBe("/auth/signin")

    const begun = await ada.begin("tenantidp", { callbackUrl: "/members" })
    expect(begun.searchParams.get("redirect_uri")).toBe(`${origin}/auth/callback/tenantidp`)
    const answer = await ada.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe(`${origin}/members`)
    expect(await memberPage(ada)).toBe("Hello ada@example.com")
    expect(ada.cookies.rejected).toEqual([])

    const session = ada.cookies.get("__Secure-authjs.session-token")
    await ada.signOut()
    expect(await memberPage(ada)).toBe("/auth/signin")
    if (kept === "a database" && session) {
      ada.cookies.plant(origin, `${session.name}=${session.value}; Path=/; Secure`)
      expect(await memberPage(ada), "116").toBe("/auth/signin")
    }
  })

  test("an answer of the provider by form post", async () => {
    const provider = await scriptedProvider()
    const authorization = { params: { response_mode: "form_post" } }
    const config = configOf({ providers: [provider.asOidc({ authorization })] })
    const ada = browser(await application(config))
    expect((await ada.signIn(provider)).headers.get("location")).toBe(origin)
    expect(await memberPage(ada)).toBe("Hello ada@example.com")
  })

  test("a link by e-mail", async () => {
    await using box = await mailbox()
    const config = configOf({
      providers: [Nodemailer({ server: box.server })],
      ...(await stored()),
    })
    const bob = browser(await application(config))
    const asked = await bob.signIn("nodemailer", { email: "bob@example.com" })
    expect(asked.headers.get("location")).toContain(`${origin}/auth/verify-request`)
    const { links } = await box.next()
    expect(links[0]).toMatch(/^https:\/\/app\.example\/auth\/callback\/nodemailer\?/)
    await bob.open(links[0]!)
    expect(await memberPage(bob)).toBe("Hello bob@example.com")
    assertRefused(await browser(bob.app).open(links[0]!))
  })

  test("credentials: wrong ones lead back to the form, right ones in", async () => {
    const person = browser(await application(configOf()))
    const refused = await person.signIn("credentials", { ...alice, password: "wrong" })
    assertRefused(refused)
    expect(refused.headers.get("location")).toContain("/auth/signin?error=CredentialsSignin&code=")
    expect(await memberPage(person)).toBe("/auth/signin")
    await person.signIn("credentials", alice)
    expect(await memberPage(person)).toBe("Hello alice@example.com")
  })

  test("a form of another site signs nobody in or out", async () => {
    const person = browser(await application(configOf()))
    const csrfToken = await person.csrf()
    const from = "https://evil.example"
    const fields = { csrfToken, ...alice }
    assertRefused(await person.post("/auth/callback/credentials", fields, { from }))
    expect(await memberPage(person)).toBe("/auth/signin")
  })
})
