/** Leads a visitor whose code was refused back to the page that takes it. */
import { getCustomPage } from "../../config/custom-pages.ts"
import type { CodeProblem, Verification } from "../../errors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { omitUndefined } from "../../objects.ts"
import type { ActionContext } from "../action-context.ts"

/** Why a code was refused, as the page says it. */
export interface ShownCodeProblem {
  readonly problem: CodeProblem
  readonly attemptsLeft: number | undefined
}

/** Redirects to the link, or in the browser that requested the code to the page that takes it. */
export async function createCodeRedirect(
  { type, codeProblem, attemptsLeft }: Verification,
  { request, config }: ActionContext,
): Promise<ActionOutcome> {
  const { actionsUrl, origin, query, providerId = "" } = request
  const attempts = attemptsLeft === undefined ? undefined : String(attemptsLeft)
  const problem = omitUndefined({ error: type, reason: codeProblem, attempts })
  if (query.has("token")) return redirectOutcome(getLinkUrl(request), problem)
  const page = getCustomPage("verifyRequest", config, origin) ?? `${actionsUrl}/verify-request`
  const url = new URL(page, origin).href
  return redirectOutcome(url, { provider: providerId, type: "email", ...problem })
}

/** Returns the URL of the link that the browser has opened, without the result of a code. */
export function getLinkUrl({ actionsUrl, query, providerId }: ActionRequest): string {
  const link = new URLSearchParams(query)
  for (const name of ["error", "reason", "attempts"]) link.delete(name)
  return `${actionsUrl}/callback/${providerId}?${link}`
}

const problems: readonly string[] = ["incorrect", "missing", "invalid"] satisfies CodeProblem[]

/** Returns the problem that a query names; undefined if it names none. */
export function readCodeProblem(query: URLSearchParams): ShownCodeProblem | undefined {
  const reason = query.get("reason") ?? ""
  if (query.get("error") !== "Verification" || !problems.includes(reason)) return undefined
  const attempts = query.get("attempts") ?? ""
  const attemptsLeft = /^[1-9]$/.test(attempts) ? Number(attempts) : undefined
  return { problem: reason as CodeProblem, attemptsLeft } // one of the list
}
