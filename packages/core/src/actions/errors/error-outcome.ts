/** Decides which page or JSON body a visitor gets when something failed. */

import type { ErrorReason } from "@latchkey/pages"
import { getCustomPage } from "../../config/custom-pages.ts"
import { findOAuthProvider } from "../../config/resolve-providers.ts"
import { isOutage } from "../../errors/classify-error.ts"
import { describeValue } from "../../errors/describe-value.ts"
import {
  AccountNotLinked,
  AuthError,
  CredentialsSignin,
  ErrorPageLoop,
  InvalidCheck,
  InvalidLogoutToken,
  InvalidProvider,
  InvalidRequest,
  isClientError,
  TooManyRequests,
  UnknownAction,
  Verification,
  WebAuthnVerificationError,
} from "../../errors.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { IncomingRequest } from "../../http/incoming-request.ts"
import { buildActionsUrl, endsWithAction } from "../../http/route.ts"
import type { AuthAction } from "../../types.ts"
import type { Action, ActionContext, Services } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { createCodeRedirect, isResendRequest } from "../email/requested-link.ts"
import { resolveCallbackUrl } from "../resolve-callback-url.ts"
import { addLinkingError, isLinkingRefused, isLinkRequested } from "../sign-in/link-request.ts"
import { consumeErrorReport, reportConfigProblems, saveError } from "./saved-error.ts"

/**
 * Returns the outcome for an error of an action. Only the log has the details, and the error report of development.
 *
 * @param requestSecrets values of the request that the report must not contain
 */
export async function handleError(
  error: unknown,
  context: ActionContext,
  requestSecrets: readonly string[],
): Promise<ActionOutcome> {
  const outcome = await createErrorOutcome(error, context)
  await saveError(error, context, outcome, requestSecrets)
  return outcome
}

async function createErrorOutcome(error: unknown, context: ActionContext): Promise<ActionOutcome> {
  const { request, config } = context
  if (error instanceof InvalidRequest) return jsonOutcome({ message: error.message }, error.status)
  // Clients must be able to tell a failed session check from a missing session.
  if (request.action === "session")
    return jsonOutcome({ message: "The session is unavailable." }, 503)
  if (request.action === "logout") return createLogoutErrorOutcome(error, context)
  // A script requested the options of a passkey, so it gets JSON instead of a page.
  const isForScript = request.action === "webauthn-options"
  if (isForScript && (error instanceof TooManyRequests || error instanceof AccountNotLinked))
    return jsonOutcome({ error: error.type }, error instanceof TooManyRequests ? 429 : 403)
  const isResendRefused = error instanceof TooManyRequests && isResendRequest(request)
  if (isResendRefused && !getCustomPage("verifyRequest", config, request.origin))
    return redirectOutcome(`${request.actionsUrl}/verify-request`, { error: error.type })
  if (error instanceof Verification && error.codeProblem) return createCodeRedirect(error, context)
  return createErrorRedirect(error, context)
}

/** Redirects to the page that shows the error, from which the visitor can go on. */
async function createErrorRedirect(error: unknown, context: ActionContext): Promise<ActionOutcome> {
  const { request, config } = context
  const isPublic = isClientError(error)
  const query = {
    error: isPublic ? error.type : "Configuration",
    ...(error instanceof CredentialsSignin && { code: error.code }),
    ...(isUnknownPasskey(error) && { reason: "unknown-passkey" }),
  }
  const callbackUrl = await resolveCallbackUrl(context)
  if (request.signIn.isLinking && isLinkingRefused(error))
    return redirectOutcome(addLinkingError(callbackUrl, error))
  const retryQuery = isPublic ? {} : describeRetry(error, context)
  const signInPage = getCustomPage("signIn", config, request.origin)
  // The built-in sign-in page cannot say that a provider does not respond, and start again with it.
  const isOwnPage = signInPage !== undefined || retryQuery.reason !== "unavailable"
  // The script of the sign-in page tells the browser to forget an unknown passkey.
  const isForSignInPage =
    error instanceof AuthError && (error.kind === "signIn" || isUnknownPasskey(error))
  if (isForSignInPage && isOwnPage) {
    const parameters = signInPage ? { callbackUrl } : getMissingCallbackUrl(callbackUrl, request)
    const url = signInPage ?? `${request.actionsUrl}/signin`
    return redirectOutcome(new URL(url, request.origin).href, { ...query, ...parameters })
  }
  const errorPage = getCustomPage("error", config, request.origin)
  if (!errorPage && request.action === "error" && request.method === "GET") {
    // The error page itself failed: a redirect would lead to it again and again.
    const reason = { error: "Configuration", reason: "unavailable" }
    const urls = { signInUrl: `${request.actionsUrl}/signin`, homeUrl: request.origin }
    return context.renderPage({ page: "error", ...reason, ...urls }, request)
  }
  const url = errorPage ?? `${request.actionsUrl}/error`
  const parameters = { ...query, ...retryQuery, ...getMissingCallbackUrl(callbackUrl, request) }
  return redirectOutcome(new URL(url, request.origin).href, parameters)
}

const isUnknownPasskey = (error: unknown): boolean =>
  error instanceof WebAuthnVerificationError && error.cause?.["unknownPasskey"] !== undefined

/** Returns the parameter for a callback URL that the cookie does not have: error responses do not set it. */
function getMissingCallbackUrl(
  callbackUrl: string,
  { origin, cookies, cookieDefinitions }: ActionRequest,
): { callbackUrl?: string } {
  const storedUrl = cookies.get(cookieDefinitions.callbackUrl.name) ?? origin
  const isStored = URL.canParse(storedUrl) && new URL(storedUrl).href === new URL(callbackUrl).href
  return isStored ? {} : { callbackUrl }
}

/** Returns parameters that tell the error page what has happened, and with which provider to start again. */
function describeRetry(
  error: unknown,
  { request, config }: ActionContext,
): { reason?: ErrorReason; provider?: string } {
  const { action, providerId } = request
  if (action === "signout") return { reason: "still-signed-in" }
  const isExpired = error instanceof InvalidCheck && error.isExpired
  if (!isExpired && !isOutage(error)) return {}
  // A repeated request to link an account would sign in instead, perhaps as a new user.
  const canRepeat = !request.signIn.isLinking && !isLinkRequested(request)
  const provider = canRepeat ? findOAuthProvider(config, providerId) : undefined
  const reason = isExpired ? "expired" : "unavailable"
  return provider ? { reason, provider: provider.id } : { reason }
}

/** Returns the outcome for a provider whose request failed, in the words of RFC 6749. It may try again after 5xx. */
async function createLogoutErrorOutcome(
  error: unknown,
  context: ActionContext,
): Promise<ActionOutcome> {
  const { request } = context
  if (error instanceof UnknownAction || error instanceof InvalidProvider)
    return createUnknownActionOutcome(error, request, request.url, context)
  if (error instanceof InvalidLogoutToken) {
    const error_description = `Expected ${error.cause?.["expected"]}.`
    return jsonOutcome({ error: "invalid_request", error_description }, 400)
  }
  return isOutage(error)
    ? jsonOutcome({ error: "temporarily_unavailable" }, 503)
    : jsonOutcome({ error: "server_error" }, 500)
}

/** Logs that the path of a request is not that of an action, and returns the outcome. */
export async function refuseUnknownPath(
  incoming: IncomingRequest,
  url: URL,
  services: Services,
): Promise<ActionOutcome> {
  const { basePath } = services.config
  const expected = `GET or POST to an action under ${basePath}`
  const received = `${incoming.method} ${describeValue(url.pathname)}`
  const parent = basePath.slice(0, basePath.lastIndexOf("/")) || "/"
  const hint = `The base path ends with the name of an action: mount the library at \`${parent}\`, not at \`${basePath}\`.`
  const details = { expected, received, ...(endsWithAction(basePath) && { hint }) }
  const error = new UnknownAction(details)
  services.logger.error(error)
  return createUnknownActionOutcome(error, incoming, url, services)
}

/** Returns the outcome for a request that names no action: a page for a browser that navigates, otherwise JSON. */
async function createUnknownActionOutcome(
  error: UnknownAction,
  { method, headers }: Pick<IncomingRequest, "method" | "headers">,
  url: URL,
  { config, renderPage }: Services,
): Promise<ActionOutcome> {
  const isForPage = method === "GET" && headers.get("accept")?.includes("text/html")
  if (!isForPage) return jsonOutcome("Bad request.", 400)
  const { type, message, hint, docs } = error
  const report = { type, message, hint, docs, causes: [], heading: "", steps: [] }
  const errorReport = config.development ? report : undefined
  return renderPage({ page: "not-found", homeUrl: url.origin, errorReport }, { url, headers })
}

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
  return renderPage(
    {
      page: "error",
      error: "Configuration",
      signInUrl: `${buildActionsUrl(url.origin, config.basePath)}/signin`,
      homeUrl: url.origin,
      errorReport: reportConfigProblems(config),
    },
    { url, headers },
  )
}

/** Whether a page that requires a sign-in sent the browser here: it names itself as the callback URL. */
function isRedirectedFrom({ origin, searchParams }: URL, page: string): boolean {
  const from = searchParams.get("callbackUrl")
  return from !== null && URL.canParse(from, origin) && new URL(from, origin).href.startsWith(page)
}

/** `GET error`. Its form repeats the request that failed, if the query names one. */
export const errorAction: Action = async (context) => {
  const { request, config, renderPage } = context
  const { actionsUrl, origin } = request
  const getLast = (name: string) => request.query.getAll(name).at(-1)
  const error = getLast("error")
  const customPage = getCustomPage("error", config, origin)
  if (customPage) return redirectOutcome(customPage, error === undefined ? {} : { error })
  const reason = getLast("reason")
  const callbackUrl = await resolveCallbackUrl(context)
  const query = callbackUrl === origin ? "" : `?${new URLSearchParams({ callbackUrl })}`
  const provider = findOAuthProvider(config, getLast("provider"))
  const canRetry = provider !== undefined || reason === "still-signed-in"
  const retryForm = canRetry && {
    action: `${actionsUrl}/${provider ? `signin/${provider.id}` : "signout"}`,
    csrfToken: await ensureCsrfToken(context, "session"),
    callbackUrl,
    provider: provider?.name,
  }
  return renderPage(
    {
      page: "error",
      error,
      reason,
      retryForm: retryForm || undefined,
      signInUrl: `${actionsUrl}/signin${query}`,
      homeUrl: origin,
      errorReport: await consumeErrorReport(context),
    },
    request,
  )
}
