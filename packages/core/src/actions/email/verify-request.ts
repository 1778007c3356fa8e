/** `GET verify-request`: the page that asks visitors to check their mail. It also says whether they have signed in. */

import type { CodeFormProps, RequestedLinkProps } from "@latchkey/pages"
import { getCustomPage } from "../../config/custom-pages.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { avoidActions, resolveCallbackUrl } from "../resolve-callback-url.ts"
import { isSignedIn } from "../session.ts"
import { readCodeProblem } from "./code-problem.ts"
import { type RequestedLink, readRequestState } from "./requested-link.ts"

export const verifyRequestAction: Action = async (context) => {
  const { request, config } = context
  const state = await readRequestState(context)
  const link = state?.kind === "waiting" ? state : undefined
  // Only a sign-in since the request counts: the session that the browser had may be another user's.
  const isDone = state?.kind === "completed" && (await isSignedIn(context))
  const url = isDone ? await findDestination(context, state.callbackUrl) : undefined
  const isContinued = request.query.has("continue")
  if (isContinued && /\bapplication\/json\b/i.test(request.headers.get("accept") ?? ""))
    return jsonOutcome(
      url ? { status: "signed-in", url } : { status: link ? "waiting" : "expired" },
    )
  if (url) return redirectOutcome(url)
  // The request was too long ago, or the visitor has signed out since.
  if (isContinued && !link) {
    const callbackUrl = await findDestination(context, state?.callbackUrl)
    return redirectOutcome(`${request.actionsUrl}/signin`, { callbackUrl })
  }
  const customPage = getCustomPage("verifyRequest", config, request.origin)
  if (customPage) return redirectOutcome(customPage, Object.fromEntries(request.query))
  return showPage(context, link, isContinued)
}

const findDestination = async (context: ActionContext, callbackUrl: string | undefined) =>
  avoidActions(context, callbackUrl ?? (await resolveCallbackUrl(context)))

async function showPage(
  context: ActionContext,
  requestedLink: RequestedLink | undefined,
  isContinued: boolean,
): Promise<ActionOutcome> {
  const { request, renderPage } = context
  const { actionsUrl, origin: homeUrl, query } = request
  const link = requestedLink && (await describeRequestedLink(context, requestedLink))
  const codeForm = describeCodeForm(context, link && requestedLink, link)
  const isLimited = query.get("error") === "TooManyRequests"
  const notice = isLimited ? "limited" : isContinued ? "not-signed-in" : requestedLink?.notice
  return renderPage(
    {
      page: "verify-request",
      homeUrl,
      // The code was submitted after the message was sent.
      notice: codeForm?.problem ? undefined : notice,
      link,
      codeForm,
      continueUrl: link && `${actionsUrl}/verify-request?continue=true`,
    },
    request,
  )
}

/** Returns what the page needs to request the link again. */
async function describeRequestedLink(
  context: ActionContext,
  { provider, email, callbackUrl }: RequestedLink,
): Promise<RequestedLinkProps | undefined> {
  const { request, config } = context
  if (findProvider(config, provider)?.type !== "email") return undefined
  const targetUrl = callbackUrl ?? (await resolveCallbackUrl(context))
  return {
    email,
    callbackUrl: targetUrl,
    action: `${request.actionsUrl}/signin/${provider}`,
    csrfToken: await ensureCsrfToken(context, "any-session"),
    signInUrl: `${request.actionsUrl}/signin?${new URLSearchParams({ callbackUrl: targetUrl })}`,
  }
}

/** Returns the form for the code; without a link, only why a code was refused. */
function describeCodeForm(
  { request: { actionsUrl, query } }: ActionContext,
  requestedLink: RequestedLink | undefined,
  link: RequestedLinkProps | undefined,
): CodeFormProps | undefined {
  const shownProblem = readCodeProblem(query)
  if (!link || !requestedLink) return shownProblem && { action: actionsUrl, problem: "invalid" }
  if (!requestedLink.hasCode && !shownProblem) return undefined
  const { signInUrl: _, ...form } = link
  const action = `${actionsUrl}/callback/${requestedLink.provider}`
  return { ...form, action, ...shownProblem }
}
