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

/**
 * Returns the violations, each with the elements that it concerns. Scripts of the page cannot add the engine.
 *
 * @param otherRules rules that axe-core leaves out by default
 */
export async function findViolations(
  page: Page,
  ignoredRules: readonly string[] = [],
  otherRules: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource)
  const enabled = { ...mapRules(ignoredRules, false), ...mapRules(otherRules, true) }
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> }
    }
    const results = await axe.run({ rules, preload: false, resultTypes: ["violations"] })
    return results.violations
  }, enabled)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

const mapRules = (rules: readonly string[], enabled: boolean) =>
  Object.fromEntries(rules.map((rule) => [rule, { enabled }]))

/** Returns how many pixels the page is wider than the window. */
export const readOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
