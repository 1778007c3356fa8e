/** Checks of a page in Chromium: accessibility, and whether it fits the window. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** A violation that axe-core reports. */
interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Returns the violations, each with the elements that it concerns. Scripts of the page cannot add the engine. */
export async function findViolations(page: Page, ignoredRules: string[] = []): Promise<string[]> {
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async (ignored) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> }
    }
    const rules = Object.fromEntries(ignored.map((rule) => [rule, { enabled: false }]))
    return (await axe.run({ rules })).violations
  }, ignoredRules)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Returns how many pixels the page is wider than the window. */
export const readOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
