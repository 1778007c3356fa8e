/** `GET verify-request`: the page that asks visitors to check their mail. It also says whether they have signed in. */

import { getCustomPage } from "../../config/custom-pages.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { avoidActions, resolveCallbackUrl } from "../resolve-callback-url.ts"
import { isSignedIn } from "../session.ts"
import { type RequestedLink, readCodeProblem, readRequestState } from "./requested-link.ts"

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
  const shownProblem = readCodeProblem(query)
  const forms = requestedLink && (await createForms(context, requestedLink, shownProblem))
  // Without a link, the page only says that a code was refused.
  const noForm = shownProblem && ({ action: actionsUrl, problem: "invalid" } as const)
  const isLimited = query.get("error") === "TooManyRequests"
  const notice = isLimited ? "limited" : isContinued ? "not-signed-in" : requestedLink?.notice
  return renderPage(
    {
      page: "verify-request",
      homeUrl,
      // The code was submitted after the message was sent.
      notice: shownProblem ? undefined : notice,
      link: forms?.link,
      codeForm: forms ? forms.codeForm : noForm,
      continueUrl: forms && `${actionsUrl}/verify-request?continue=true`,
    },
    request,
  )
}

/** Returns what the page needs to request the link again, and to take its code. */
async function createForms(
  context: ActionContext,
  { provider, email, callbackUrl: savedUrl, hasCode }: RequestedLink,
  shownProblem: ReturnType<typeof readCodeProblem>,
) {
  const { actionsUrl } = context.request
  if (findProvider(context.config, provider)?.type !== "email") return undefined
  const callbackUrl = savedUrl ?? (await resolveCallbackUrl(context))
  const csrfToken = await ensureCsrfToken(context, "any-session")
  const form = { email, callbackUrl, csrfToken }
  const signInUrl = `${actionsUrl}/signin?${new URLSearchParams({ callbackUrl })}`
  const codeForm = { ...form, action: `${actionsUrl}/callback/${provider}`, ...shownProblem }
  return {
    link: { ...form, action: `${actionsUrl}/signin/${provider}`, signInUrl },
    codeForm: hasCode || shownProblem ? codeForm : undefined,
  }
}
