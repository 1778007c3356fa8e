/** The guide for roles, on SQLite and with sessions in cookies. */
import type { DatabaseSync } from "node:sqlite"
import { Auth, type AuthConfig, setEnvDefaults } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import type { Express } from "express"
import { expect, onTestFinished, test } from "vitest"
import { installGuide, listen, stubEnvironment } from "./support/guide.ts"
import { startKeycloak } from "./support/keycloak.ts"

async function openGuide() {
  const { provider, environment } = await startKeycloak()
  onTestFinished(() => provider.close())
  stubEnvironment(environment)
  const importFile = installGuide("roles")
  const signIn = async (browser: TestBrowser, sub: string, groups: string[] = []) => {
    provider.setUser({ sub, name: sub, email: `${sub}@example.com`, email_verified: true, groups })
    await browser.signIn(provider)
    return browser
  }
  return { importFile, signIn }
}

const readRole = async (browser: TestBrowser) =>
  Object(await browser.getSession())["user"]?.role as unknown

test("a role in the database changes with the next request of a signed-in user", async () => {
  const { importFile, signIn } = await openGuide()
  const { adapter } = await importFile<{ adapter: Required<Adapter> }>("database.ts")
  const { app } = await importFile<{ app: Express }>("app.ts")
  const url = await listen(app)
  const readStatus = async (browser: TestBrowser, path: string) => (await browser.open(path)).status
  const stranger = createTestBrowser(url)
  expect((await stranger.open("/admin")).headers.get("location")).toBe(
    "/auth/signin?callbackUrl=%2Fadmin",
  )
  const ada = await signIn(createTestBrowser(url), "ada")
  const grace = await signIn(createTestBrowser(url), "grace")
  const user = await adapter.getUserByEmail("ada@example.com")
  const administrator = { id: user?.id ?? "", role: "admin" }
  await adapter.updateUser(administrator)
  expect([await readStatus(ada, "/articles"), await readStatus(ada, "/admin")]).toEqual([200, 200])
  expect(await readStatus(grace, "/articles")).toBe(200)
  expect(await readStatus(grace, "/admin")).toBe(403)

  const path = `/users/${(await grace.getSession())?.user?.id}/role`
  expect((await grace.post(path, { role: "admin" })).status).toBe(403)
  expect((await ada.post(path, { role: "emperor" })).status).toBe(400)
  await grace.updateSession({ role: "admin" })
  expect(await readStatus(grace, "/admin")).toBe(403)
  expect((await ada.post(path, { role: "admin" })).status).toBe(303)
  expect(await readStatus(grace, "/admin")).toBe(200)
  await ada.post(path, { role: "reader" })
  expect(await readStatus(grace, "/admin")).toBe(403)
})

/** Completes a configuration of the guide with what the application has in its environment. */
function complete(config: AuthConfig, changes: Partial<AuthConfig> = {}): AuthConfig {
  const completed = { ...config, ...changes }
  setEnvDefaults(process.env, completed)
  return completed
}

test("a role in the session cookie follows the provider at the next sign-in", async () => {
  const { importFile, signIn } = await openGuide()
  const { config } = await importFile<{ config: AuthConfig }>("cookie-roles.ts")
  const completed = complete(config)
  const browser = createTestBrowser((request) => Auth(request, completed))
  await signIn(browser, "ada", ["/administrators"])
  expect(await readRole(browser)).toBe("admin")
  await signIn(browser, "ada", ["/editors"])
  expect(await readRole(browser)).toBe("editor")
  await browser.updateSession({ role: "admin" })
  expect(await readRole(browser)).toBe("editor")
})

test("a provider decides roles in the database, from the first sign-in on", async () => {
  const { importFile, signIn } = await openGuide()
  const { database } = await importFile<{ database: DatabaseSync }>("database.ts")
  const { config } = await importFile<{ config: AuthConfig }>("auth.ts")
  const { provider } = await importFile<{ provider: AuthConfig["providers"][number] }>(
    "provider.ts",
  )
  const { signIn: callback } =
    await importFile<Required<AuthConfig>["callbacks"]>("provider-roles.ts")
  const callbacks = { ...config.callbacks, ...(callback && { signIn: callback }) }
  const completed = complete(config, { providers: [provider], callbacks })
  const browser = createTestBrowser((request) => Auth(request, completed))
  await signIn(browser, "ada", ["/administrators"])
  expect(await readRole(browser)).toBe("admin")
  await signIn(browser, "ada")
  expect(await readRole(browser)).toBe("reader")
  database.exec(`update "User" set role = 'admin'`)
  await signIn(browser, "ada")
  expect(await readRole(browser)).toBe("reader")
})
