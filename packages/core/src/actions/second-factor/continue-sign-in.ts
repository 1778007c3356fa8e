/** Decides whether a sign-in whose first factor is proven needs a second one. */
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { AccountNotLinked } from "../../errors.ts"
import {
  hasMainFactor,
  listAllFactors,
  renewEncryption,
} from "../../flows/second-factor/stored-factors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { secondFactorPath } from "../../http/route.ts"
import { defaultMaxAge } from "../../identity/fresh-session.ts"
import { createNotLinkedError, type LinkingDecision } from "../../identity/linking-decision.ts"
import type { SignInResult } from "../../proven-identity.ts"
import { getCurrentSecond, isRecent, type KnownSessionFacts } from "../../sessions/session-facts.ts"
import type { ProvenFactor } from "../../sessions/session-strategy.ts"
import type { Account } from "../../types.ts"
import type { ActionContext } from "../action-context.ts"
import { finishSignIn, type ProvenSignIn } from "../sign-in/finish-sign-in.ts"
import { savePendingSignIn } from "./pending-sign-in.ts"
import { findTrustedFactor } from "./trusted-devices.ts"

/**
 * Continues a sign-in whose first factor is proven: with the second one if the user has one, or must have one, and otherwise
 * with the session.
 *
 * @throws AdapterError, SessionTooLarge, and what `secondFactor.require` throws; then no session begins
 */
export async function continueSignIn(
  context: ActionContext,
  proven: ProvenSignIn,
): Promise<ActionOutcome> {
  const { result } = proven
  const { config, logger } = context
  const finish = (factor: ProvenFactor = {}) =>
    finishSignIn(context, { ...proven, result: { ...result, ...factor } })
  if (await isOfSession(context, result)) return finish()
  if (result.user.id && config.secrets.length > 1)
    await renewEncryption(requireDatabase(context), String(result.user.id)).catch(
      (error: unknown) => logger.error(error), // older secrets still decrypt them
    )
  if (isAccepted(context, result))
    return finish({
      factorTime: result.authentication?.authTime ?? getCurrentSecond(),
      ...(result.account.type === "webauthn" && { factorMethod: "passkey" }),
    })
  const factors = await listAllFactors(requireDatabase(context), getUserId(result))
  const isEnrolment = !hasMainFactor(factors)
  if (isEnrolment) {
    const { require } = config.secondFactor ?? {}
    if (!(await require?.(result.user, result.account))) return finish()
  } else {
    const trusted = await findTrustedFactor(context, factors)
    if (trusted) return finish(trusted)
  }
  return waitForFactor(context, proven, isEnrolment)
}

/**
 * Returns what a session has to prove before it may add an account: if sign-ins with it count as two factors, whoever has
 * stolen a session could reach both with it. So its user must have authenticated recently, and with the second factor if
 * they have one.
 */
export async function findMissingProof(
  context: ActionContext,
  provider: string,
  { userId, authTime, createdAt = Number.NaN, factorTime }: KnownSessionFacts,
): Promise<"sign-in" | "factor" | undefined> {
  const { config } = context
  if (!Object.hasOwn(config.secondFactor?.accept ?? {}, provider)) return undefined
  const isFresh = (time: number) => isRecent(getCurrentSecond() - time, defaultMaxAge)
  if (factorTime !== undefined && isFresh(factorTime)) return undefined
  if (hasMainFactor(await listAllFactors(requireDatabase(context), userId))) return "factor"
  return isFresh(authTime ?? createdAt) ? undefined : "sign-in"
}

/**
 * Checks that a sign-in may add an account to a user, as far as second factors are concerned.
 *
 * @throws AccountNotLinked, OAuthAccountNotLinked if the session has to prove more; or if the address decides, and the user
 *   has a second factor: whoever reads their mailbox has not proven that
 */
export async function assertMayAddAccount(
  context: ActionContext,
  account: Account,
  decision: LinkingDecision | undefined,
): Promise<void> {
  if (decision?.kind === "link") return assertMayAddFactor(context, account, decision.user.id)
  if (decision?.kind !== "linkByEmail") return
  const factors = await listAllFactors(requireDatabase(context), String(decision.user.id))
  if (!hasMainFactor(factors)) return
  throw createNotLinkedError(account, {
    expected: "a user without a second factor, because only the address says who they are",
    hint: "Users with a second factor add the account while they are signed in.",
  })
}

/** Checks that the session may add an account. */
async function assertMayAddFactor(
  context: ActionContext,
  { provider }: Account,
  userId: string,
): Promise<void> {
  const { request, sessions } = context
  const check = await sessions.checkSession(request)
  const facts = check.kind === "valid" ? check.facts : {}
  const missing = await findMissingProof(context, provider, { ...facts, userId: String(userId) })
  if (!missing) return
  const isFactorMissing = missing === "factor"
  throw new AccountNotLinked({
    provider,
    expected: isFactorMissing
      ? "a session whose user has proven their second factor in the last ten minutes"
      : "a session whose user has authenticated in the last ten minutes",
    received: isFactorMissing ? "a session with one factor, or an older proof" : "an older one",
    hint: `Guard the page that adds the account with \`requireFreshSession\`${isFactorMissing ? ", and `level: 2`" : ""}.`,
  })
}

/** @throws TypeError if there is none, because all such users would have the same factors */
function getUserId({ user }: SignInResult): string {
  if (!user.id) throw new TypeError("With `secondFactor`, users need an `id`")
  return String(user.id)
}

async function waitForFactor(
  context: ActionContext,
  { provider, result, callbackUrl, attemptKeys }: ProvenSignIn,
  isEnrolment: boolean,
): Promise<ActionOutcome> {
  const { request, logger } = context
  const { user, rememberMe: _, ...others } = result
  const userId = getUserId(result)
  await savePendingSignIn(context, {
    userId,
    provider: provider.id,
    ...(result.account.type === "credentials" && { credentialsUser: user }),
    result: others,
    state: request.signIn,
    callbackUrl,
    attemptKeys,
    isStored: (await requireDatabase(context).store.getUser(userId)) !== null,
    isEnrolment,
  })
  logger.debug("second_factor_requested", { provider: provider.id, user: userId })
  const facts = { userId, provider: provider.id }
  await reportSecurityEvent(context, "factor-requested", facts, request)
  return redirectOutcome(`${request.actionsUrl}/signin/${secondFactorPath}`)
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
