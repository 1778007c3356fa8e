/** Decides which page or JSON body a visitor gets when something failed. */
import { getCustomPage } from "../config/custom-pages.ts"
import {
  AccountNotLinked,
  AuthError,
  CredentialsSignin,
  ErrorPageLoop,
  InvalidRequest,
  isClientError,
  TooManyRequests,
} from "../errors.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../http/action-outcome.ts"
import { buildActionsUrl } from "../http/route.ts"
import { renderErrorPage } from "../pages/message-pages.ts"
import type { AuthAction } from "../types.ts"
import type { ActionContext, Services } from "./action-context.ts"

/** Returns the outcome for an error of an action. Only the log has the details. */
export function createErrorOutcome(
  error: unknown,
  { request, config }: ActionContext,
): ActionOutcome {
  if (error instanceof InvalidRequest) return jsonOutcome({ message: error.message }, error.status)
  // Clients must be able to tell a failed session check from a missing session.
  if (request.action === "session")
    return jsonOutcome({ message: "The session is unavailable." }, 503)
  // A script requested the options of a passkey, so it gets JSON instead of a page.
  const isForScript = request.action === "webauthn-options"
  if (isForScript && error instanceof TooManyRequests)
    return jsonOutcome({ error: error.type }, 429)
  if (isForScript && error instanceof AccountNotLinked)
    return jsonOutcome({ error: error.type }, 403)
  const page = error instanceof AuthError && error.kind === "signIn" ? "signIn" : "error"
  const url = config.pages[page] ?? `${request.actionsUrl}/${page.toLowerCase()}`
  const isPublic = error instanceof AuthError && isClientError(error)
  const query = {
    error: isPublic ? error.type : "Configuration",
    ...(error instanceof CredentialsSignin ? { code: error.code } : {}),
  }
  return redirectOutcome(new URL(url, request.origin).href, query)
}

const pageActions = new Set<AuthAction>(["signin", "signout", "error", "verify-request"])

/** Returns the outcome for a configuration with problems, which refuses every request. */
export async function createConfigErrorOutcome(
  action: AuthAction,
  method: string,
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
  const content = renderErrorPage({
    error: "Configuration",
    signInUrl: `${buildActionsUrl(url.origin, config.basePath)}/signin`,
    homeUrl: url.origin,
    errorReport: reports?.renderConfigReport(config),
  })
  return renderPage(content)
}

/** Whether a page that requires a sign-in sent the browser here: it names itself as the callback URL. */
function isRedirectedFrom({ origin, searchParams }: URL, page: string): boolean {
  const from = searchParams.get("callbackUrl")
  return from !== null && URL.canParse(from, origin) && new URL(from, origin).href.startsWith(page)
}
