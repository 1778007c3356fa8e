/** The box "Keep me signed in" of the sign-in page, for passkeys, in Chromium with its virtual authenticator. */

import { createAuth } from "@latchkey/core"
import passkey from "@latchkey/core/providers/passkey"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { launchChromium } from "../../../../scripts/test-setup/launch-chromium.ts"
import { addVirtualAuthenticator } from "../../../../scripts/test-setup/virtual-authenticator.ts"
import { type ServedApp, serveApp } from "../support/chromium.ts"
import { testSiteSecret } from "../support/test-site.ts"

const database = openSqlite(":memory:")
let browser: Browser
let app: ServedApp

beforeAll(async () => {
  await migrate(database)
  browser = await launchChromium()
  app = await serveApp(() =>
    createAuth({
      adapter: SqlAdapter(database),
      // The virtual authenticator would sign in at once where passkeys are offered at a field.
      providers: [passkey({ enableConditionalUI: false })],
      experimental: { enableWebAuthn: true },
      session: { rememberMe: true },
      secret: testSiteSecret,
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
    }),
  )
})

afterAll(async () => {
  await browser.close()
  await app.close()
  database.close()
})

test("a passkey has the choice of the box below the buttons, and a new one that of its form", async () => {
  const context = await browser.newContext({ baseURL: app.origin })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await addVirtualAuthenticator(page)
  /** How long the session cookie lasts in this browser; -1 until it is closed. */
  const getExpiry = async () =>
    (await context.cookies()).find(({ name }) => name.endsWith("session-token"))?.expires ?? 0

  await page.goto("/auth/signin")
  await page.getByText("Create a passkey").first().click()
  const form = page.locator(".registration form")
  await form.getByLabel("Keep me signed in").check()
  for (const input of await form.locator("[data-form-field]").all()) await input.fill("Ada")
  await Promise.all([
    page.waitForURL((url) => !url.pathname.startsWith("/auth")),
    form.locator("button").click(),
  ])
  expect(await getExpiry()).toBeGreaterThan(0)

  for (const isLong of [false, true]) {
    await page.goto("/auth/signin?prompt=login")
    await page.locator("#remember-me").getByLabel("Keep me signed in").setChecked(isLong)
    await Promise.all([
      page.waitForURL((url) => !url.pathname.startsWith("/auth")),
      page.getByRole("button", { name: "Sign in with a passkey" }).click(),
    ])
    if (isLong) expect(await getExpiry()).toBeGreaterThan(0)
    else expect(await getExpiry()).toBe(-1)
  }
})
