/** What a person is told when something went wrong. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import {
  AuthError,
  CredentialsSignin,
  ErrorPageLoop,
  InvalidRequest,
  isClientError,
} from "../errors.ts"
import {
  type ActionOutcome,
  appendQuery,
  jsonOutcome,
  redirectOutcome,
} from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { stripTrailingSlash } from "../http/route.ts"
import type { AuthAction } from "../types.ts"
import { createConfigReport } from "./error-report.ts"
import type { Services } from "./services.ts"

const configErrorMessage =
  "There was a problem with the server configuration. Check the server logs for more information."

/** The outcome for something that an action threw; the log has the whole story. */
export function createErrorOutcome(
  error: unknown,
  request: ActionRequest,
  { config }: Services,
): ActionOutcome {
  if (error instanceof InvalidRequest) return jsonOutcome({ message: error.message }, error.status)
  // A session that could not be checked is not "no session": clients have to be able to tell.
  if (request.action === "session")
    return jsonOutcome({ message: "The session is unavailable." }, 503)
  return redirectOutcome(createErrorUrl(error, request.origin, config))
}

function createErrorUrl(error: unknown, origin: string, config: ResolvedConfig): string {
  const authError = error instanceof AuthError ? error : undefined
  const type = authError && isClientError(authError) ? authError.type : "Configuration"
  const query = {
    error: type,
    ...(error instanceof CredentialsSignin ? { code: error.code } : {}),
  }
  const isSignInError = authError?.kind === "signIn"
  const builtInPage = `${stripTrailingSlash(config.basePath)}/${isSignInError ? "signin" : "error"}`
  const page = (isSignInError ? config.pages.signIn : config.pages.error) ?? builtInPage
  return appendQuery(new URL(page, origin).href, query)
}

const pageActions: ReadonlySet<AuthAction> = new Set([
  "signin",
  "signout",
  "error",
  "verify-request",
])

/** The outcome while the configuration has problems: nothing works, and only the log says why. */
export async function createConfigErrorOutcome(
  request: { action: AuthAction; method: string; url: URL },
  { config, logger, pages }: Services,
): Promise<ActionOutcome> {
  const { url } = request
  if (request.method !== "GET" || !pageActions.has(request.action)) {
    return jsonOutcome({ message: configErrorMessage }, 500)
  }
  const errorPage = config.pages.error && new URL(config.pages.error, url.origin).href
  const isLoop = errorPage !== undefined && isRedirectedFrom(url, errorPage)
  if (errorPage !== undefined && !isLoop)
    return redirectOutcome(appendQuery(errorPage, { error: "Configuration" }))
  if (isLoop) logger.error(new ErrorPageLoop({ expected: "`pages.error` to be public" }))
  const page = await pages.error({
    error: "Configuration",
    signInUrl: `${url.origin}${stripTrailingSlash(config.basePath)}/signin`,
    homeUrl: url.origin,
    errorReport: config.development ? createConfigReport(config) : undefined,
  })
  return { kind: "page", page: { ...page, status: 500 } }
}

/** A page that asks people to sign in sends them here from itself, as a path or with its origin. */
function isRedirectedFrom({ origin, searchParams }: URL, page: string): boolean {
  const from = searchParams.get("callbackUrl")
  return from !== null && URL.canParse(from, origin) && new URL(from, origin).href.startsWith(page)
}
