/** Follows each quick start in an empty folder, with the packed packages, and signs in and out in Chromium. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import { launchChromium } from "../../test-setup/launch-chromium.ts"
import { findFreePort } from "../application-server.ts"
import { type PackageRegistry, startPackageRegistry } from "../package-registry.ts"
import { quickStartPages, readQuickStart } from "../quick-starts/quick-start.ts"
import { registerQuickStartClient } from "../quick-starts/quick-start-client.ts"
import { runQuickStart } from "../quick-starts/run-quick-start.ts"
import { waitForOrigin } from "../quick-starts/server-origin.ts"
import { printSeconds } from "../suites/suite.ts"
import { startTenantProvider, type TenantProvider } from "../tenant-provider.ts"

/**
 * A missing icon, the response of a guard to a script, what Vite logs while it finds dependencies, and the toolbar of SolidStart 2.0.5, which loads a module
 * in development that browsers cannot load.
 */
const expectedErrors = /status of 40[14]|HMR update|@jridgewell\/resolve-uri/

let chromium: Browser
let registry: PackageRegistry
let provider: TenantProvider
let folder: string

beforeAll(async () => {
  // npm and Vite compare real paths.
  folder = realpathSync(mkdtempSync(join(tmpdir(), "latchkey-quick-starts-")))
  chromium = await launchChromium()
  registry = await startPackageRegistry()
  provider = await startTenantProvider(folder)
})
afterAll(async () => {
  await chromium?.close()
  await registry?.[Symbol.asyncDispose]()
  await provider?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(quickStartPages)("%s", (page) => {
  printSeconds(page)

  test("leads from an empty folder to a sign-in and a sign-out", { timeout: 600_000 }, async () => {
    const client = registerQuickStartClient(page, provider)
    let startedServers = 0
    await runQuickStart(readQuickStart(page), {
      folder: mkdtempSync(join(folder, "application-")),
      env: registry.env,
      port: await findFreePort(0),
      values: client.values,
      async useServer(server) {
        const origin = await waitForOrigin(server)
        await warmUpServer(origin)
        provider.fail()
        await seeFailedSignIn(origin)
        client.register(origin)
        const ada = await openTestBrowser(chromium, origin)
        ada.context.setDefaultTimeout(30_000)
        // The first server is that of development, the second one that of production.
        expect(await showsErrorDetails(origin + client.callbackPath)).toBe(startedServers === 0)
        await signInAndOut(ada.page).catch(async (error: unknown) => {
          const details = [ada.page.url(), await ada.page.content(), server.output()]
          throw new Error(`${error}\n${details.join("\n")}`, { cause: error })
        })
        await ada.context.close()
        expect(ada.pageErrors.filter((problem) => !expectedErrors.test(problem))).toEqual([])
        startedServers += 1
        return origin
      },
    })
    expect(startedServers).toBe(2)
  })
})

/** Opens the first pages until they work: a development server reloads them while it discovers dependencies. */
async function warmUpServer(origin: string): Promise<void> {
  const { page, context } = await openTestBrowser(chromium, origin)
  await vi.waitFor(() => openMembersPage(page), { timeout: 120_000, interval: 1000 })
  await context.close()
}

/** Whether the page of a failed sign-in shows the developer what was expected and received. */
async function showsErrorDetails(callback: string): Promise<boolean> {
  const { page, context } = await openTestBrowser(chromium, new URL(callback).origin)
  // A development server may compile the route now.
  await page.goto(`${callback}?code=a-code&state=of-nobody`, { timeout: 60_000 })
  await page.getByRole("heading", { level: 1 }).waitFor()
  const isShown = await page.getByText("Development only").isVisible()
  await context.close()
  return isShown
}

/** Signs in while the provider does not respond, which the sign-in page has to say. */
async function seeFailedSignIn(origin: string): Promise<void> {
  const { page, context } = await openTestBrowser(chromium, origin)
  context.setDefaultTimeout(30_000)
  await openMembersPage(page)
  await page.getByRole("button", { name: "Sign in with Google" }).click()
  await page
    .getByText(/Sign-in (failed|is unavailable)/)
    .first()
    .waitFor()
  await context.close()
}

async function signInAndOut(page: Page): Promise<void> {
  await openMembersPage(page)
  await page.getByRole("button", { name: "Sign in with Google" }).click()
  await page.getByRole("button", { name: "Ada Lindqvist" }).click()
  await page.getByText("Hello Ada Lindqvist").waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/members\/?$/)
  await page.goto("/", { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "detached" })
  await openMembersPage(page)
}

/** Follows the link of the first page to the page for members, which leads to the sign-in page. */
async function openMembersPage(page: Page): Promise<void> {
  await page.goto("/", { waitUntil: "networkidle" })
  await page.getByRole("link", { name: "Members" }).click()
  await page.getByRole("button", { name: "Sign in with Google" }).waitFor()
}
