/** The callback of a link that was sent by e-mail. */
import { completeEmailFlow, isLinkOfBrowser } from "../flows/email.ts"
import type { FlowResult } from "../flows/flow-result.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ResolvedEmailProvider } from "../providers/resolved-provider.ts"
import type { ActionContext } from "./action-context.ts"
import { ensureCsrfToken } from "./csrf.ts"
import { hasGuessableToken, verifyFormRequest } from "./form-request.ts"
import { getUserLabel, readShownSession } from "./shown-session.ts"

/**
 * Answers requests that must not consume an e-mail link: prefetches and embedded content, and opening the link in a
 * browser that did not request it, which mail scanners and other sites do. There, a page asks for confirmation.
 */
export async function checkEmailLinkRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<ActionOutcome | undefined> {
  const { request, renderPage } = context
  const { headers, query, origin } = request
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) => headers.get(name))
  if (purposes.some((value) => /prefetch|prerender|preview/i.test(value ?? "")))
    return { kind: "empty", status: 503 }
  // An image or frame on another page would sign visitors in as whoever requested the link.
  const destination = headers.get("sec-fetch-dest")
  if (destination !== null && destination !== "document") return { kind: "empty", status: 400 }
  if (request.method !== "GET") return undefined
  // The response reveals whether a short token is right, so opening the link counts as a guess.
  if (hasGuessableToken(request)) await verifyFormRequest(context, provider)
  const isOwn = await isLinkOfBrowser({ ...context, provider })
  // Another browser cannot use a short token, even if its user confirms it.
  if (isOwn ? !provider.confirm : hasGuessableToken(request)) return undefined
  return renderPage(
    {
      page: "confirm",
      action: `${request.actionsUrl}/callback/${provider.id}?${query}`,
      csrfToken: await ensureCsrfToken(context, "any-session"),
      email: query.get("email") ?? "",
      user: getUserLabel(await readShownSession(context)),
      homeUrl: origin,
    },
    request,
  )
}

/** Verifies the request and consumes the link. */
export async function completeEmailCallback(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<FlowResult> {
  // A short token that a browser opened was counted before.
  if (context.request.method === "POST" || !hasGuessableToken(context.request))
    await verifyFormRequest(context, provider)
  return completeEmailFlow({ ...context, provider })
}
