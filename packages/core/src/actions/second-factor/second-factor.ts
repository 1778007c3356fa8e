/** `signin/second-factor`: asks for the second factor of a sign-in that waits, and ends the sign-in. */
import type { AdapterFactor } from "../../adapters.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import {
  hasMainFactor,
  listFactors,
  verifyFactor,
} from "../../flows/second-factor/stored-factors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import { secondFactorPath } from "../../http/route.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits } from "../limits/enforce-limits.ts"
import { resetFactorAttempts } from "../limits/factor-attempts.ts"
import { avoidActions } from "../resolve-callback-url.ts"
import { finishSignIn, type ProvenSignIn } from "../sign-in/finish-sign-in.ts"
import {
  endPendingSignIn,
  type PendingSignIn,
  readPendingSignIn,
  restoreSignIn,
  savePendingSignIn,
} from "./pending-sign-in.ts"

/**
 * Continues a sign-in whose first factor is proven: with the second one if the user has one, and otherwise with the session.
 *
 * @throws AdapterError, SessionTooLarge; then no session begins
 */
export async function continueSignIn(
  context: ActionContext,
  proven: ProvenSignIn,
): Promise<ActionOutcome> {
  const { provider, result, callbackUrl, attemptKeys } = proven
  if (await isOfSession(context, result)) return finishSignIn(context, proven)
  if (isAccepted(context, result)) {
    const factorTime = result.authentication?.authTime ?? getCurrentSecond()
    return finishSignIn(context, { ...proven, result: { ...result, factorTime } })
  }
  const userId = String(result.user.id ?? "")
  const factors = await listFactors(requireDatabase(context), userId)
  if (!hasMainFactor(factors)) return finishSignIn(context, proven)
  const { user, rememberMe: _, ...others } = result
  await savePendingSignIn(context, {
    userId,
    provider: provider.id,
    ...(result.account.type === "credentials" && { credentialsUser: user }),
    result: others,
    state: context.request.signIn,
    callbackUrl,
    attemptKeys,
  })
  context.logger.debug("second_factor_requested", { provider: provider.id, user: userId })
  return redirectOutcome(getPageUrl(context))
}

/** Whether a sign-in only adds an account to the user of a session, which continues with the factors that it has. */
async function isOfSession(
  { request, sessions }: ActionContext,
  { isAddedAccount, user }: SignInResult,
): Promise<boolean> {
  if (!isAddedAccount) return false
  const check = await sessions.checkSession(request)
  return check.kind === "valid" && String(check.userId) === String(user.id)
}

const getCurrentSecond = () => Math.floor(Date.now() / 1000)

/** Whether a sign-in has proven two factors already, as far as the configuration says so. */
function isAccepted(
  { config: { secondFactor } }: ActionContext,
  { account, authentication }: SignInResult,
): boolean {
  const accept = secondFactor?.accept ?? {}
  const rule = Object.hasOwn(accept, account.provider) ? accept[account.provider] : undefined
  // The check of the configuration allows it only for passkeys of providers that verify their users.
  if (!rule || rule === true) return rule === true
  const { acr, amr = [] } = authentication ?? {}
  const hasLevel = acr !== undefined && rule.acr?.includes(acr)
  return hasLevel || amr.some((each) => rule.amr?.includes(each))
}

const getPageUrl = ({ request }: ActionContext) =>
  `${request.actionsUrl}/signin/${secondFactorPath}`

export const secondFactorAction: Action = async (context) => {
  const { request } = context
  const pending = await readPendingSignIn(context)
  // It was too long ago, or has ended.
  if (!pending) return redirectOutcome(`${request.actionsUrl}/signin`)
  request.continueSignIn({ ...pending.state, callbackUrl: pending.callbackUrl })
  if (request.method === "GET") return showPage(context, pending)
  await verifyCsrfToken(context, "any-session")
  const method = readTextField(request.body, "method") ?? ""
  const code = readTextField(request.body, "code") ?? ""
  const { userId } = pending
  const attemptKeys = await enforceAttemptLimits(context, "second-factor", userId)
  const factor = await verifyFactor(requireDatabase(context), userId, method, code)
  if (!factor) return redirectOutcome(getPageUrl(context), { method, error: "incorrect" })
  if (!(await endPendingSignIn(context, pending)))
    return redirectOutcome(`${request.actionsUrl}/signin`)
  await resetFactorAttempts(context, userId, attemptKeys)
  return completeSignIn(context, pending)
}

/** Starts the session of a sign-in whose second factor was just proven. */
async function completeSignIn(
  context: ActionContext,
  pending: PendingSignIn,
): Promise<ActionOutcome> {
  const provider = findProvider(context.config, pending.provider)
  if (!provider) return redirectOutcome(`${context.request.actionsUrl}/signin`)
  const result = await restoreSignIn(context, pending)
  return finishSignIn(context, {
    provider,
    result: { ...result, factorTime: getCurrentSecond() },
    callbackUrl: pending.callbackUrl,
    isLinking: false,
    attemptKeys: pending.attemptKeys,
  })
}

async function showPage(context: ActionContext, pending: PendingSignIn): Promise<ActionOutcome> {
  const { request, renderPage } = context
  const factors = await listFactors(requireDatabase(context), pending.userId)
  const methods = listMethods(context, factors)
  const wanted = request.query.get("method")
  const method = methods.find((each) => each === wanted) ?? methods[0]
  // Somebody has removed the factors meanwhile: the sign-in begins again.
  if (!method) return redirectOutcome(`${request.actionsUrl}/signin`)
  const callbackUrl = avoidActions(context, pending.callbackUrl)
  return renderPage(
    {
      page: "second-factor",
      method,
      form: {
        action: getPageUrl(context),
        csrfToken: await ensureCsrfToken(context, "any-session"),
        callbackUrl,
      },
      isIncorrect: request.query.get("error") === "incorrect",
      others: methods
        .filter((each) => each !== method)
        .map((each) => ({ method: each, url: `${getPageUrl(context)}?method=${each}` })),
      signInUrl: `${request.actionsUrl}/signin?${new URLSearchParams({ callbackUrl })}`,
    },
    request,
  )
}

/** Returns the methods of which a user has a factor, in the order of the configuration. */
function listMethods({ config }: ActionContext, factors: readonly AdapterFactor[]) {
  const ids = (config.secondFactor?.methods ?? []).map(({ id }) => id)
  return ids.filter((id) => factors.some(({ method }) => method === id))
}
