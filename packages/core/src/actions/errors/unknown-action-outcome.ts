import type { UnknownAction } from "../../errors.ts"
import { type ActionOutcome, jsonOutcome } from "../../http/action-outcome.ts"
import type { IncomingRequest } from "../../http/incoming-request.ts"
import type { Services } from "../action-context.ts"

/** Returns the outcome for a request that names no action: a page for a browser that navigates, otherwise JSON. */
export async function createUnknownActionOutcome(
  error: UnknownAction,
  { method, headers }: Pick<IncomingRequest, "method" | "headers">,
  url: URL,
  { config, renderPage }: Services,
): Promise<ActionOutcome> {
  const isForPage = method === "GET" && headers.get("accept")?.includes("text/html")
  if (!isForPage) return jsonOutcome("Bad request.", 400)
  // Production never loads the module.
  const reports = config.development ? await import("./error-report.ts") : undefined
  const errorReport = reports?.reportUnknownAction(error)
  return renderPage({ page: "not-found", homeUrl: url.origin, errorReport }, { url, headers })
}
