/** `GET error`. */

import type { ErrorPageProps } from "@latchkey/pages"
import { getCustomPage } from "../config/custom-pages.ts"
import { findOAuthProvider } from "../config/resolve-providers.ts"
import { redirectOutcome } from "../http/action-outcome.ts"
import type { Action, ActionContext } from "./action-context.ts"
import { ensureCsrfToken } from "./csrf.ts"
import { consumeSavedReport } from "./errors/error-report.ts"
import { resolveCallbackUrl } from "./resolve-callback-url.ts"

export const errorAction: Action = async (context) => {
  const { request, config, renderPage } = context
  const getLast = (name: string) => request.query.getAll(name).at(-1)
  const error = getLast("error")
  const customPage = getCustomPage("error", config, request.origin)
  if (customPage) return redirectOutcome(customPage, error === undefined ? {} : { error })
  const reason = getLast("reason")
  const callbackUrl = await resolveCallbackUrl(context)
  const query = callbackUrl === request.origin ? "" : `?${new URLSearchParams({ callbackUrl })}`
  return renderPage(
    {
      page: "error",
      error,
      reason,
      retryForm: await createRetryForm(context, callbackUrl, reason, getLast("provider")),
      signInUrl: `${request.actionsUrl}/signin${query}`,
      homeUrl: request.origin,
      errorReport: await consumeSavedReport(context),
    },
    request,
  )
}

/** Returns the form that repeats a failed request; undefined if the query names none. */
async function createRetryForm(
  context: ActionContext,
  callbackUrl: string,
  reason: string | undefined,
  providerId: string | undefined,
): Promise<ErrorPageProps["retryForm"]> {
  const { request, config } = context
  const provider = findOAuthProvider(config, providerId)
  const action = provider ? `signin/${provider.id}` : "signout"
  if (!provider && reason !== "still-signed-in") return undefined
  const csrfToken = await ensureCsrfToken(context, "session")
  const url = `${request.actionsUrl}/${action}`
  return { action: url, csrfToken, callbackUrl, provider: provider?.name }
}
