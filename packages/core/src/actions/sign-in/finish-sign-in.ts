/** The end of every sign-in: its session begins, and the browser goes on. */
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { completeRequestedLink, hasRequestedLink } from "../email/requested-link.ts"
import { resetAttempts } from "../limits/enforce-limits.ts"

/** A sign-in whose factors are all proven. */
export interface ProvenSignIn {
  readonly provider: ResolvedProvider
  readonly result: SignInResult
  readonly callbackUrl: string
  /** Whether it adds an account to the user who is signed in. */
  readonly isLinking: boolean
  /** The keys of the counters that it resets. */
  readonly attemptKeys: readonly string[]
}

/** Starts the session, and returns where the browser goes. */
export async function finishSignIn(
  context: ActionContext,
  { provider, result, callbackUrl, isLinking, attemptKeys }: ProvenSignIn,
): Promise<ActionOutcome> {
  const { request, config, logger, sessions, emitEvent } = context
  const { user, account, profile } = result
  const sessionId = await sessions.startSession(request, result)
  if (hasRequestedLink(request)) await completeRequestedLink(context)
  // For the built-in sign-in page, if it has several providers to choose from.
  if (!isLinking && config.pages.signIn === undefined && config.providers.size > 1)
    request.jar.set(request.cookieDefinitions.lastProvider, provider.id)
  await resetAttempts(context, provider, account.providerAccountId, attemptKeys)
  logger.debug("session_started", { provider: provider.id, user: user.id })
  const isNewUser = account.type === "credentials" ? undefined : result.isNewUser
  await emitEvent("signIn", { user, account, profile, isNewUser }, request)
  const level = result.factorTime === undefined ? 1 : 2
  const known = { userId: String(user.id), sessionId, provider: provider.id }
  const facts = { ...known, method: account.type, level } as const
  await reportSecurityEvent(context, "sign-in", facts, request)
  const { newUser } = config.pages
  if (result.isNewUser && newUser) return redirectOutcome(newUser, { callbackUrl })
  return redirectOutcome(callbackUrl)
}
