/** Responds while the configuration has problems, which refuse every request. */
import { getCustomPage } from "../../config/custom-pages.ts"
import { ErrorPageLoop } from "../../errors.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { IncomingRequest } from "../../http/incoming-request.ts"
import { buildActionsUrl } from "../../http/route.ts"
import type { AuthAction } from "../../types.ts"
import type { Services } from "../action-context.ts"

const pageActions = new Set<AuthAction>(["signin", "signout", "error", "verify-request"])

/** Returns the outcome for a configuration with problems, which refuses every request. */
export async function createConfigErrorOutcome(
  action: AuthAction,
  { method, headers }: IncomingRequest,
  url: URL,
  { config, logger, renderPage }: Services,
): Promise<ActionOutcome> {
  if (method !== "GET" || !pageActions.has(action)) {
    const message =
      "There was a problem with the server configuration. Check the server logs for more information."
    return jsonOutcome({ message }, 500)
  }
  const customPage = getCustomPage("error", config, url.origin)
  if (customPage) {
    const errorPage = new URL(customPage, url.origin).href
    if (!isRedirectedFrom(url, errorPage))
      return redirectOutcome(errorPage, { error: "Configuration" })
    logger.error(new ErrorPageLoop({ expected: "`pages.error` to be public" }))
  }
  // Production never loads the module.
  const reports = config.development ? await import("./error-report.ts") : undefined
  return renderPage(
    {
      page: "error",
      error: "Configuration",
      signInUrl: `${buildActionsUrl(url.origin, config.basePath)}/signin`,
      homeUrl: url.origin,
      errorReport: reports?.reportConfigProblems(config),
    },
    { url, headers },
  )
}

/** Whether a page that requires a sign-in sent the browser here: it names itself as the callback URL. */
function isRedirectedFrom({ origin, searchParams }: URL, page: string): boolean {
  const from = searchParams.get("callbackUrl")
  return from !== null && URL.canParse(from, origin) && new URL(from, origin).href.startsWith(page)
}
