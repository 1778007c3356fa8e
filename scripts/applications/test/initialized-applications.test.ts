/** From an empty folder to a signed-in user with `npm create @latchkey`, without a provider to register at. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import { launchChromium } from "../../test-setup/launch-chromium.ts"
import { findFreePort, startServer } from "../application-server.ts"
import { type Application, findApplication } from "../catalogue.ts"
import { runProgram, startProgram, stopProgram } from "../command.ts"
import {
  createInitializedApplication,
  type InitializedApplication,
  runInit,
} from "../initialized-application.ts"
import { type PackageRegistry, startPackageRegistry } from "../package-registry.ts"
import { printSeconds } from "../suites/suite.ts"

let chromium: Browser
let registry: PackageRegistry

beforeAll(async () => {
  registry = await startPackageRegistry()
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium?.close()
  await registry?.[Symbol.asyncDispose]()
})

const names = ["express", "sveltekit", "solid-start", "qwik"]
const applications = names.map((name) => findApplication(name) as Application)
const [express] = applications as [Application]
const { runEnv } = express
const created = [
  ...applications,
  { framework: "next", title: "Next.js 16", runEnv },
  { framework: "hono", title: "Hono", runEnv },
  { framework: "react-router", title: "React Router", runEnv },
  { framework: "astro", title: "Astro", runEnv },
  { framework: "nuxt", title: "Nuxt", runEnv },
]

for (const [index, application] of created.entries()) {
  describe(application.title, () => {
    let initialized: InitializedApplication
    printSeconds(`${application.title}, created`)

    beforeAll(async () => {
      initialized = await createInitializedApplication(application, registry)
    })

    test("a second run changes nothing", async () => {
      const before = readTexts(initialized.folder)
      expect(initialized.output).toContain("AUTH_SECRET")
      expect(await runInit(initialized.folder, ["--yes"])).toContain("Nothing to do")
      expect(readTexts(initialized.folder)).toEqual(before)
    })

    test("a made-up person signs in, in development", { timeout: 300_000 }, async () => {
      const port = await findFreePort(24_600 + index)
      const env = application.runEnv({ port, origin: `http://localhost:${port}` })
      await using server = await startServer(initialized.folder, port, env, "development")
      const origin = `http://localhost:${port}`
      await warmUpServer(origin)
      const { page, context, pageErrors } = await openTestBrowser(chromium, origin)
      page.setDefaultTimeout(30_000)

      await page.goto("/members")
      await page.getByRole("button", { name: "Sign in with Development" }).click()
      await page.getByRole("button", { name: "Ada Lindqvist" }).click()
      await page.getByRole("heading", { level: 1, name: "Members only" }).waitFor()
      await page.getByText("Hello Ada Lindqvist.").waitFor()
      expect(new URL(page.url()).pathname).toMatch(/^\/members\/?$/)

      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByText("You are signed out.").waitFor()
      await delayPageData(page)
      await page.getByRole("link", { name: "Members only" }).click()
      await page.getByRole("button", { name: "Sign in with Development" }).waitFor()
      await context.close()
      const problems = pageErrors.filter((problem) => problem.startsWith("error:"))
      expect(problems, server.output()).toEqual([])
    })

    test("builds without the development provider", { timeout: 300_000 }, async () => {
      const { folder } = initialized
      const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      await runProgram("npm", ["run", "check"], { cwd: folder })
      if (scripts.build) await runProgram("npm", ["run", "build"], { cwd: folder })
      const built = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        ({ parentPath, name }) =>
          /^\/(?:build|dist|server|\.output|\.next\/server)(?:\/|$)/.test(
            parentPath.slice(folder.length),
          ) && /\.[cm]?js$/.test(name),
      )
      for (const { parentPath, name } of built) {
        const text = readFileSync(join(parentPath, name), "utf8")
        expect(text.includes("Ada Lindqvist"), join(parentPath, name)).toBe(false)
      }
      expect(built.length > 0).toBe(Boolean(scripts.build))
    })

    test("production without a provider does not start", async () => {
      const port = await findFreePort(24_610 + index)
      const origin = `http://localhost:${port}`
      const env = { ...application.runEnv({ port, origin }), AUTH_URL: origin }
      const server = startProgram("npm", ["start"], { cwd: initialized.folder, env })
      const timer = setTimeout(() => stopProgram(server), 20_000)
      const code = await server.exitCode.finally(() => clearTimeout(timer))
      const output = server.output()
      const lines = output
        .split("\n")
        .filter((line) => /provider.* (?:for|in) production/.test(line))
      expect({ code, lines: lines.length }, output).toEqual({ code: 1, lines: 1 })
    })
  })
}

/** Loads the pages, after which a development server reloads because of discovered dependencies. They may fail meanwhile. */
async function warmUpServer(origin: string): Promise<void> {
  const { page, context } = await openTestBrowser(chromium, origin)
  for (const path of ["/", "/members", "/"])
    await page.goto(path, { waitUntil: "networkidle", timeout: 90_000 })
  await context.close()
}

/** Makes the data of pages arrive late. Qwik loses the click on a link whose prefetched data is a redirect on its way. */
async function delayPageData(page: Page): Promise<void> {
  await page.route(/\/q-data\.json/, async (route) => {
    await delay(500)
    await route.continue()
  })
}

/** The files that people edit, by their paths. */
function readTexts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (file) =>
      file.isFile() && !/\/(?:node_modules|\.svelte-kit|\.next)(?:\/|$)/.test(file.parentPath),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, readFileSync(path, "utf8")]
    }),
  )
}
