/** Reports the paths, parameters, JSON, redirects and cookies of the actions: what browsers and other clients use. */
import { createTestBrowser, type TestBrowser } from "@latchkey/testing/browser"
import { withFrozenTime } from "@latchkey/testing/clock"
import { clientErrors } from "../../packages/core/src/errors/classify-error.ts"
import { createRecordedSite, type RecordedSite } from "./recorded-site.ts"
import { renderExchange } from "./render-exchange.ts"
import { scenarios } from "./scenarios.ts"

/** Returns a report in Markdown. */
export async function reportHttp(): Promise<string> {
  const sections = [
    "# HTTP",
    "Requests of browsers, and the responses: status, redirect, JSON with the types of its members, cookies, and forms with the names of their fields. Values are shown where they are constant. An exchange that repeats an earlier one is left out.",
    "Values of `error` in URLs, besides `Configuration`:",
    [...clientErrors].map((type) => `- \`${type}\``).join("\n"),
  ]
  const known = new Set<string>()
  // At one time, so that no code expires while the report is written.
  await withFrozenTime(Date.UTC(2026, 10, 30, 12), async () => {
    const site = await createRecordedSite()
    for (const [title, act] of Object.entries(scenarios)) {
      const exchanges = new Set<string>()
      await act(site, () => openRecordingBrowser(site, (text) => exchanges.add(text)))
      const fresh = [...exchanges].filter((exchange) => !known.has(exchange))
      for (const exchange of fresh) known.add(exchange)
      sections.push(`## ${title}`, `\`\`\`text\n${fresh.join("\n\n")}\n\`\`\``)
    }
  })
  return `${sections.join("\n\n")}\n`
}

function openRecordingBrowser({ auth }: RecordedSite, report: (text: string) => void): TestBrowser {
  return createTestBrowser(async (request) => {
    const isJson = request.headers.get("content-type") === "application/json"
    const body = await request.clone().text()
    const fields =
      body === ""
        ? []
        : Object.keys(isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)))
    const response = await auth.handle(request)
    const { method, url } = request
    report(await renderExchange({ method, url: new URL(url), fields, response: response.clone() }))
    return response
  })
}
