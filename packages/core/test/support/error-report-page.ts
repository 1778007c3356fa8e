/** Reads the error report of a page. */
import type { TestBrowser } from "@latchkey/testing"
import { findElements, parseHtml } from "./html-parser.ts"

export interface DisplayedErrorReport {
  /** The whole page. */
  readonly html: string
  readonly type: string
  /** All texts of the panel. */
  readonly text: string
  /** The text of each step by its name; that of a failed step begins with "Not as expected". */
  readonly steps: ReadonlyMap<string, string>
}

/** Returns the error report of a page, or undefined if it has none. */
export function readErrorReport(html: string): DisplayedErrorReport | undefined {
  const [panel] = findElements(html, "section", { class: "error-report" })
  if (!panel) return undefined
  const [heading] = findElements(html, "h2", { id: "error-report" })
  const items = parseHtml(html).filter(
    ({ tag, attributes }) => tag === "li" && attributes.get("class") !== undefined,
  )
  const names = parseHtml(html).filter(({ tag }) => tag === "strong")
  const named = items.map(({ text }): [string, string] => {
    const rest = text.replace(/^(?:As expected|Not as expected): /, "")
    const [name] = names
      .filter((strong) => rest.startsWith(strong.text))
      .sort((a, b) => b.text.length - a.text.length)
    return [name?.text ?? text, text]
  })
  return { html, type: heading?.text ?? "", text: panel.text, steps: new Map(named) }
}

/** Follows the redirect of a refused request, as browsers do. */
export async function followRefusal(browser: TestBrowser, refusal: Response): Promise<string> {
  const response = await browser.open(refusal.headers.get("location") ?? "nowhere")
  return response.text()
}
