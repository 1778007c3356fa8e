/** What a page tells the developer. */
import type { Browser } from "@latchkey/testing"
import { all, read } from "../pages-markup.ts"

export interface ShownTrace {
  /** The whole page. */
  readonly html: string
  readonly type: string
  /** All texts of the panel. */
  readonly text: string
  /** The text of each step, by its name; what is not as expected begins with that. */
  readonly steps: ReadonlyMap<string, string>
}

/** The trace on a page; undefined where it has none. */
export function traceOn(html: string): ShownTrace | undefined {
  const [panel] = all(html, "section", { class: "trace" })
  if (!panel) return undefined
  const [heading] = all(html, "h2", { id: "trace" })
  const items = read(html).filter(
    ({ tag, attributes }) => tag === "li" && attributes.get("class") !== undefined,
  )
  const names = read(html).filter(({ tag }) => tag === "strong")
  const named = items.map(({ text }): [string, string] => {
    const rest = text.replace(/^(?:Good|Not as expected): /, "")
    const [name] = names
      .filter((strong) => rest.startsWith(strong.text))
      .sort((a, b) => b.text.length - a.text.length)
    return [name?.text ?? text, text]
  })
  return { html, type: heading?.text ?? "", text: panel.text, steps: new Map(named) }
}

/** Goes where a refusal leads, as browsers do. */
export async function followed(visitor: Browser, refusal: Response): Promise<string> {
  const answer = await visitor.open(refusal.headers.get("location") ?? "nowhere")
  return answer.text()
}
