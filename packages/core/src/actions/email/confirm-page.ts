import type { ConfirmPageProps } from "@latchkey/pages"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { resolveCallbackUrl } from "../resolve-callback-url.ts"
import { getUserLabel, readShownSession } from "../shown-session.ts"
import { getLinkUrl, readCodeProblem } from "./code-problem.ts"

/**
 * Describes the page between a link and its use. It asks for the code of the e-mail or, if e-mails carry none, for
 * confirmation.
 *
 * @param isUsable whether this browser may use the link without the code
 */
export async function describeConfirmPage(
  context: ActionContext,
  { id, sendsCode }: ResolvedEmailProvider,
  isUsable: boolean,
): Promise<{ readonly page: "confirm" } & ConfirmPageProps> {
  const { request } = context
  const { query, origin: homeUrl, actionsUrl } = request
  const email = query.get("email") ?? ""
  const csrfToken = await ensureCsrfToken(context, "any-session")
  const form = { action: getLinkUrl(request), csrfToken }
  const user = getUserLabel(await readShownSession(context))
  const page = { page: "confirm", ...form, email, user, homeUrl } as const
  const shownProblem = readCodeProblem(query)
  if (isUsable || (!sendsCode && !shownProblem)) return page
  const callbackUrl = await resolveCallbackUrl(context)
  const resendForm = { action: `${actionsUrl}/signin/${id}`, csrfToken, callbackUrl, email }
  return { ...page, codeForm: { ...form, ...shownProblem }, resendForm }
}
