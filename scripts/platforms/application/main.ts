/**
 * Uses the packages on a platform, and prints for each thing that it did why it failed: null if it did not. The names of
 * those that the platform does not support are arguments. It uses nothing that Node.js 20.0 lacks.
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { FetchAuth } from "@latchkey/fetch"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing/browser"
import { createScriptedProvider } from "@latchkey/testing/provider"
import express from "express"
import { authConfig } from "./auth.ts"
import { openDatabase } from "./sqlite.ts"

/** Starts an application with a guarded page, and stops it afterwards. */
async function withApp(
  config: MiddlewareAuthConfig,
  use: (browser: TestBrowser) => Promise<void>,
): Promise<void> {
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  app.get("/members", async (req, res) => {
    const session = await getSession(req, config)
    res.status(session ? 200 : 401).send(session?.user?.name ?? "Who are you?")
  })
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  try {
    await use(createTestBrowser(`http://127.0.0.1:${port}`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Signs in at a provider, and out. */
async function signInWithProvider(config: Partial<MiddlewareAuthConfig>): Promise<void> {
  const provider = await createScriptedProvider()
  await provider.listen()
  try {
    await withApp({ ...authConfig, ...config, providers: [provider.asOidc()] }, async (browser) => {
      await browser.signIn(provider)
      assert.equal((await browser.getSession())?.user?.name, "Ada Lovelace")
      assert.equal(await (await browser.open("/members")).text(), "Ada Lovelace")
      await signOut(browser)
    })
  } finally {
    await provider.close()
  }
}

async function signOut(browser: TestBrowser): Promise<void> {
  await browser.signOut()
  assert.equal(await browser.getSession(), null)
  assert.equal((await browser.open("/members")).status, 401)
}

const steps: Readonly<Record<string, () => Promise<void>>> = {
  credentials: () =>
    withApp(authConfig, async (browser) => {
      await browser.signIn("credentials", { name: "Ada", password: "wrong" })
      assert.equal(await browser.getSession(), null)
      await browser.signIn("credentials", { name: "Ada", password: "correct horse" })
      assert.equal(await (await browser.open("/members")).text(), "Ada")
      await signOut(browser)
    }),
  "OpenID Connect": () => signInWithProvider({}),
  SQL: async () => {
    const { migrationSql } = await import("@latchkey/sql")
    assert.match(migrationSql("postgres"), /create table/i)
  },
  SQLite: async () => {
    const { migrate, SqlAdapter } = await import("@latchkey/sql")
    const database = await openDatabase()
    await migrate(database)
    const adapter = SqlAdapter(database)
    await signInWithProvider({ adapter })
    assert.ok(await adapter.getUserByEmail("ada@example.com"))
  },
  fetch: async () => {
    const auth = FetchAuth(authConfig)
    const app = auth.wrap(async (request: Request) => {
      const session = await auth.for(request).getSession()
      return new Response(session?.user?.name ?? "", { status: session ? 200 : 401 })
    })
    const browser = createTestBrowser(app)
    await browser.signIn("credentials", { name: "Ada", password: "correct horse" })
    assert.equal(await (await browser.open("/members")).text(), "Ada")
    await signOut(browser)
  },
}

const results: Record<string, string | null> = {}
for (const [name, run] of Object.entries(steps)) {
  if (process.argv.includes(name)) continue
  results[name] = await run().then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
}
console.log(JSON.stringify(results))
process.exit()
