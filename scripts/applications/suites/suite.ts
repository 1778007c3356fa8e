/** What the suites of an application share. */
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { Application } from "../catalogue.ts"
import { formatSeconds, startCounting, stopCounting } from "../seconds.ts"

/** An application under test. The functions may be called as soon as tests run. */
export interface ApplicationSuite {
  readonly application: Application
  /** Whether all tests run. If not, only those run that touch what differs between major versions. */
  readonly runsAll: boolean
  /** The port of its servers. It stays the same, because some builds depend on it. */
  readonly port: () => number
  readonly chromium: () => Browser
}

/** Whether a router changes the pages without loading them. */
export function hasRouter({ framework }: Application): boolean {
  return !["express", "hono", "astro"].includes(framework)
}

/** Whether scripts run, for each time that a test runs. Pages without scripts are the same either way. */
export function listScriptModes(application: Application): readonly boolean[] {
  return hasRouter(application) ? [true, false] : [false]
}

/** Counts the time of the tests around it. */
export function countSuiteSeconds(title: string): void {
  beforeAll(() => startCounting(title))
  afterAll(stopCounting)
}

/** Prints where the time of the tests around it has gone. */
export function printSeconds(title: string): void {
  beforeAll(() => startCounting("other"))
  afterAll(() => {
    stopCounting()
    console.log(formatSeconds(title))
  })
}

/** Takes a screenshot if `LATCHKEY_SCREENSHOTS` names a folder for them. They are for people, and take a while. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["LATCHKEY_SCREENSHOTS"]
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
