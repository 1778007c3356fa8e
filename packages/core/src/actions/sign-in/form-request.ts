/** Checks the requests to a callback that no authorization server redirected. */
import { InvalidProvider } from "../../errors.ts"
import { isGuessable } from "../../flows/verification-token.ts"
import { isSameOrigin } from "../../http/fetch-metadata.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits, enforceRateLimit } from "../limits/enforce-limits.ts"
import { readIdentifier } from "./identifier.ts"

/** Attempts to guess a long token do not count against the account: nobody can keep its owner from opening a link. */
export const hasGuessableToken = ({ query }: ActionContext["request"]): boolean =>
  isGuessable(query.get("token") ?? "")

type FormProvider = Exclude<ResolvedProvider, ResolvedOAuthProvider>

/**
 * Checks the method, the origin and the rate of requests that no authorization server redirected.
 *
 * @returns the keys of the counters that a correct sign-in resets
 */
export async function verifyFormRequest(
  context: ActionContext,
  provider: FormProvider,
): Promise<readonly string[]> {
  const { id, type } = provider
  const isPost = context.request.method === "POST"
  if (!isPost && type !== "email")
    throw new InvalidProvider({ provider: id, expected: "a POST request to the callback" })
  if (type === "webauthn") await verifySameOrigin(context)
  else if (isPost) await verifyCsrfToken(context, "any-session")
  const identifier = readIdentifier(context.request, provider)
  const action = type === "email" ? "email-link" : type
  const isGuessable = type !== "email" || hasGuessableToken(context.request)
  const attemptKeys =
    action === "webauthn"
      ? []
      : await enforceAttemptLimits(context, action, identifier, isGuessable)
  await enforceRateLimit(context, action, id, identifier?.trim())
  return attemptKeys
}

/**
 * Verifies that a page of this origin sent the request. Needs a token only if the browser does not tell. For requests
 * of the library's own scripts, which ask the user first.
 *
 * @throws MissingCSRF
 */
async function verifySameOrigin(context: ActionContext): Promise<void> {
  const { headers, origin } = context.request
  if (!isSameOrigin(headers, origin)) await verifyCsrfToken(context, "any-session")
}
