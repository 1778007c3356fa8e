/** The guide for deleting an account, on SQLite. */
import type { DatabaseSync } from "node:sqlite"
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import type { Express } from "express"
import { expect, test } from "vitest"
import { installGuide, listen, stubEnvironment } from "./support/guide.ts"

async function openGuide() {
  stubEnvironment()
  const importFile = installGuide("deleting-accounts")
  const { database, adapter } = await importFile<{
    database: DatabaseSync
    adapter: Required<Adapter>
  }>("database.ts")
  const { config } = await importFile<{ config: AuthConfig }>("auth.ts")
  const provider = await createScriptedProvider({ id: "github" })
  Object.assign(config, { providers: [provider.asOidc()] })
  const count = (table: string) => database.prepare(`select * from ${table}`).all().length
  return { importFile, database, adapter, config, provider, count }
}

test("deletes the user, every session and the data, and nobody else's", async () => {
  const { importFile, database, config, provider, count } = await openGuide()
  const signOutEvents: unknown[] = []
  Object.assign(config, { events: { signOut: (message: unknown) => signOutEvents.push(message) } })
  const { app } = await importFile<{ app: Express }>("app.ts")
  const url = await listen(app)
  const [ada, adasPhone, grace] = [0, 1, 2].map(() => createTestBrowser(url))
  if (!ada || !adasPhone || !grace) throw new TypeError("three browsers")
  await ada.signIn(provider)
  await adasPhone.signIn(provider)
  provider.setUser({ sub: "grace", name: "Grace", email: "grace@example.com" })
  await grace.signIn(provider)
  for (const browser of [ada, grace]) {
    const id = (await browser.getSession())?.user?.id ?? ""
    database.prepare("insert into note (user_id, text) values (?, 'a note')").run(id)
    database.prepare("insert into invoice (user_id, amount) values (?, 5)").run(id)
  }
  const firstId = (await ada.getSession())?.user?.id

  const fromOtherSite = await ada.post("/account/delete", {}, { from: "https://evil.example" })
  expect(fromOtherSite.headers.get("location")).toContain("/auth/signin")
  // Another port is the same site, so the browser sends the session.
  const fromOtherPort = await ada.post("/account/delete", {}, { from: "http://127.0.0.1:1" })
  expect(fromOtherPort.status).toBeGreaterThanOrEqual(400)
  expect(count('"User"')).toBe(2)

  const response = await ada.post("/account/delete")
  expect(response.headers.get("location")).toBe(`${url}/`)
  expect([await ada.getSession(), await adasPhone.getSession()]).toEqual([null, null])
  expect((await grace.getSession())?.user?.name).toBe("Grace")
  expect(['"User"', '"Account"', '"Session"', "note", "invoice"].map(count)).toEqual([
    1, 1, 1, 1, 2,
  ])
  expect(signOutEvents).toHaveLength(1)

  provider.setUser()
  await ada.signIn(provider)
  const newId = (await ada.getSession())?.user?.id
  expect(newId).toBeDefined()
  expect(newId).not.toBe(firstId)
})

test("ends sessions in cookies with the next check", async () => {
  const { importFile, adapter, config, provider } = await openGuide()
  Object.assign(config, await importFile<object>("cookie-sessions.ts"), {
    secret: "the secret of the guides, of 32 characters and more",
    trustHost: true,
  })
  const browser = createTestBrowser((request) => Auth(request, config))
  await browser.signIn(provider)
  expect(await browser.getSession()).not.toBeNull()
  const user = await adapter.getUserByAccount({ provider: "github", providerAccountId: "ada" })
  await adapter.deleteUser(user?.id ?? "")
  expect(await browser.getSession()).toBeNull()
})
