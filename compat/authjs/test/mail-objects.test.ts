import { Auth } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createTestBrowser } from "@latchkey/testing"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { type AppConfig, baseConfig } from "./support/test-application.ts"

afterEach(() => vi.unstubAllGlobals())

const services = {
  forwardemail: "api.forwardemail.net",
  loops: "app.loops.so",
  mailgun: "api.mailgun.net",
  postmark: "api.postmarkapp.com",
  resend: "api.resend.com",
  sendgrid: "api.sendgrid.com",
}

test.each(Object.entries(services))(
  "the object %s of Auth.js sends a link of Latchkey, which signs in",
  async (module, host) => {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    const requests: { host: string; body: string }[] = []
    const respond: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      const type = request.headers.get("content-type") ?? ""
      const fields = type.includes("json") ? [] : [...(await request.clone().formData()).values()]
      const body = `${fields.join(" ")} ${await request.text()}`
      requests.push({ host: new URL(request.url).hostname, body })
      return Response.json({ success: true })
    }
    vi.stubGlobal("fetch", respond)
    const { default: factory } = await import(`@auth/core/providers/${module}`)
    const provider: Provider = factory({
      ...{ apiKey: "key", from: "door@app.example", domain: "app.example" },
      transactionalId: "template",
    })
    const config: AppConfig = {
      ...baseConfig,
      trustHost: ["app.example"],
      providers: [provider],
      adapter: SqlAdapter(database),
    }
    const browser = createTestBrowser((request) => Auth(request, config))
    await browser.signIn(module, { email: "ada@example.com" })
    expect(requests.map((request) => request.host)).toEqual([host])
    const text = requests[0]?.body.replaceAll("\\u0026", "&").replaceAll("&amp;", "&") ?? ""
    const link = /https:\/\/app\.example\/auth\/callback\/[^\s"'<\\)]+/.exec(text)?.[0]
    await browser.open(link ?? text)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  },
)
