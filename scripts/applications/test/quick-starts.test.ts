/** Follows each quick start in an empty folder, with the packed packages, and signs in and out in Chromium. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import { launchChromium } from "../../test-setup/launch-chromium.ts"
import { findFreePort, waitForServer } from "../application-server.ts"
import type { RunningProgram } from "../command.ts"
import { type PackageRegistry, startPackageRegistry } from "../package-registry.ts"
import { quickStartPages, readQuickStart } from "../quick-starts/quick-start.ts"
import { runQuickStart } from "../quick-starts/run-quick-start.ts"
import { printSeconds } from "../suites/suite.ts"
import { startTenantProvider, type TenantProvider } from "../tenant-provider.ts"

const client = { id: "quick-start", secret: "known-to-alder-id", name: "The quick start" }

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
    const [redirectUri = ""] =
      /http:\/\/localhost:\d+\S*\/callback\/google/.exec(readFileSync(page, "utf8")) ?? []
    const register = (origin: string) => {
      const { pathname } = new URL(redirectUri)
      const uris = { redirectUri: origin + pathname, homeUrl: origin }
      provider.registerClient({ ...client, ...uris })
    }
    register(new URL(redirectUri).origin)
    let startedServers = 0
    await runQuickStart(readQuickStart(page), {
      folder: mkdtempSync(join(folder, "application-")),
      env: registry.env,
      port: await findFreePort(0),
      values: {
        AUTH_GOOGLE_ID: client.id,
        AUTH_GOOGLE_SECRET: client.secret,
        // Alder ID stands in for Google.
        AUTH_GOOGLE_ISSUER: provider.origin,
      },
      async useServer(server) {
        const origin = await readOrigin(server)
        await warmUpServer(origin)
        provider.fail()
        await seeFailedSignIn(origin)
        register(origin)
        const ada = await openTestBrowser(chromium, origin)
        ada.context.setDefaultTimeout(30_000)
        // The first server is that of development, the second one that of production.
        expect(await showsErrorDetails(origin, redirectUri)).toBe(startedServers === 0)
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

/** Waits until a server prints its address, and responds. */
async function readOrigin(server: RunningProgram): Promise<string> {
  const printed = () => /https?:\/\/[\w.[\]:]+:(\d+)/.exec(server.output())
  await expect.poll(printed, { timeout: 60_000, message: server.output() }).not.toBeNull()
  const port = Number(printed()?.[1])
  await waitForServer(server, port)
  return `http://localhost:${port}`
}

/** Opens the first pages until they work: a development server reloads them while it discovers dependencies. */
async function warmUpServer(origin: string): Promise<void> {
  const { page, context } = await openTestBrowser(chromium, origin)
  await vi.waitFor(() => openMembersPage(page), { timeout: 120_000, interval: 1000 })
  await context.close()
}

/** Whether the page of a failed sign-in shows the developer what was expected and received. */
async function showsErrorDetails(origin: string, redirectUri: string): Promise<boolean> {
  const { page, context } = await openTestBrowser(chromium, origin)
  // A development server may compile the route now.
  await page.goto(`${new URL(redirectUri).pathname}?code=a-code&state=of-nobody`, {
    timeout: 60_000,
  })
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
