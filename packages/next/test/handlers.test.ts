import { inspect } from "node:util"
import type { NextAuthConfig } from "@latchkey/next"
import nodemailer from "@latchkey/next/providers/nodemailer"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createMailbox, createScriptedProvider, type Mailbox } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createApplication } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

afterEach(() => vi.unstubAllEnvs())

const forged = {
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
  "x-forwarded-for": "203.0.113.9",
}

function inProduction(): void {
  vi.stubEnv("NODE_ENV", "production")
  vi.stubEnv("AUTH_TRUST_HOST", "true")
}

test("signs in with a provider and with a password", async () => {
  const provider = await createScriptedProvider()
  const { browser } = createApplication(
    createConfig({ providers: [provider.asOidc()] }),
    "http://localhost:4000",
  )
  await browser.signIn(provider)
  expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  await browser.signOut()
  await browser.signIn("credentials", alice)
  expect(await browser.getSession()).toMatchObject({ user: { name: "alice" } })
  expect(browser.cookies.rejected).toEqual([])
})

describe("forged headers change nothing", () => {
  test.each(["https://app.example", ""])("with AUTH_URL=%s", async (url) => {
    inProduction()
    vi.stubEnv("AUTH_URL", url)
    const provider = await createScriptedProvider()
    const config = createConfig({ providers: [provider.asOidc()] })
    const { browser } = createApplication(config, "https://app.example", forged)
    const providers = await (await browser.fetch("/api/auth/providers")).json()
    expect(providers.scripted).toMatchObject({
      signinUrl: "https://app.example/api/auth/signin/scripted",
      callbackUrl: "https://app.example/api/auth/callback/scripted",
    })
    await browser.signIn(provider)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
    // The browser keeps a cookie with this prefix only if it has the attribute.
    expect(browser.cookies.names).toContain("__Secure-authjs.session-token")
  })

  test("in the links of e-mails", async () => {
    inProduction()
    vi.stubEnv("AUTH_URL", "https://app.example")
    await using mailbox = await createMailbox()
    const { browser } = createApplication(createMailConfig(mailbox), "https://app.example", forged)
    await browser.signIn("nodemailer", { email: "ada@example.com" })
    const { links } = await mailbox.waitForMail()
    expect(links[0]).toMatch(/^https:\/\/app\.example\/api\/auth\//)
  })

  test("in the address of the client, which only the named header tells", async () => {
    const addresses: (string | undefined)[] = []
    const rateLimit: NextAuthConfig["rateLimit"] = ({ clientAddress }) => {
      addresses.push(clientAddress)
      return true
    }
    const configs = [
      createConfig({ rateLimit }),
      createConfig({ rateLimit, clientAddressHeader: "x-real-ip" }),
    ]
    for (const config of configs) {
      const headers = { ...forged, "x-real-ip": "192.0.2.1, 203.0.113.7" }
      const { browser } = createApplication(config, "http://localhost:4000", headers)
      await browser.signIn("credentials", alice)
    }
    expect(addresses).toEqual([undefined, "203.0.113.7"])
  })
})

describe("in production without a known origin", () => {
  test("no e-mail is sent, and the error names AUTH_URL", async () => {
    inProduction()
    await using mailbox = await createMailbox()
    const errors: unknown[] = []
    const logger = { error: (...input: unknown[]) => void errors.push(...input) }
    const config = { ...createMailConfig(mailbox), logger }
    const { browser } = createApplication(config)
    const response = await browser.signIn("nodemailer", { email: "ada@example.com" })
    expect(response.headers.get("location")).toContain("error=Configuration")
    expect(mailbox.messages).toEqual([])
    expect(errors.map(describeCauses).join("\n")).toContain("Set AUTH_URL")
  })

  test.each([{ VERCEL: "1" }, { AUTH_URL: "https://app.example" }])(
    "it is sent with %o",
    async (variables) => {
      inProduction()
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
      await using mailbox = await createMailbox()
      const { browser } = createApplication(createMailConfig(mailbox))
      await browser.signIn("nodemailer", { email: "ada@example.com" })
      expect((await mailbox.waitForMail()).links[0]).toContain("https://app.example/")
    },
  )

  test("it is sent to a listed host, and other hosts are refused", async () => {
    inProduction()
    await using mailbox = await createMailbox()
    const config = { ...createMailConfig(mailbox), trustHost: ["app.example"] }
    const { browser } = createApplication(config)
    await browser.signIn("nodemailer", { email: "ada@example.com" })
    expect((await mailbox.waitForMail()).links[0]).toContain("https://app.example/")
    const other = createApplication(config, "https://evil.example")
    expect((await other.browser.fetch("/api/auth/csrf")).status).toBe(400)
  })
})

test.each(["", "app.example/x", "a b", "user@app.example"])("refuses the host %j", async (host) => {
  const { app } = createApplication(createConfig(), "http://localhost:4000", { host })
  const response = await app(new Request("http://localhost:4000/api/auth/csrf"))
  expect(response.status).toBe(400)
})

test("the variables of next-auth 4 stand in", async () => {
  vi.stubEnv("NEXTAUTH_URL", "https://other.example/account/auth")
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of the tests, under its former name")
  const { app } = createApplication({ ...createConfig(), secret: undefined } as never)
  const response = await app(new Request("https://app.example/account/auth/csrf"))
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie().join()).toContain("https%3A%2F%2Fother.example")
})

test("leaves it to the page to load what the router asks for", async () => {
  const { browser } = createApplication(createConfig(), "http://localhost:4000")
  for (const init of [{}, { headers: { rsc: "1" } }]) {
    const response = await browser.fetch(`/api/auth/signin${init.headers ? "" : "?_rsc=x"}`, init)
    expect([response.status, await response.text()]).toEqual([200, ""])
  }
  expect(browser.cookies.names).toEqual([])
})

function createMailConfig(mailbox: Mailbox): NextAuthConfig {
  const adapter = SqlAdapter(openSqlite(":memory:"), { migrate: true })
  const provider = nodemailer({ server: mailbox.server, from: "door@app.example" })
  return createConfig({ adapter, providers: [provider] })
}

function describeCauses(error: unknown): string {
  return error instanceof Error ? `${error.message} ${describeCauses(error.cause)}` : inspect(error)
}
