/** Resets the counted attempts after a correct second factor. */
import type { ActionContext } from "../action-context.ts"
import { describeOwner } from "./enforce-limits.ts"
import { rememberBrowser } from "./known-browser.ts"

/**
 * Forgets the attempts for a user who has proven their second factor, and makes the browser known: nobody else can use up
 * its attempts.
 *
 * @param attemptKeys the keys of the counters
 */
export async function resetFactorAttempts(
  context: ActionContext,
  userId: string,
  attemptKeys: readonly string[],
): Promise<void> {
  const { attempts, config } = context
  await Promise.all(attemptKeys.map((key) => attempts.reset(key)))
  if (config.attemptLimits["second-factor"].identifierAndNetwork)
    await rememberBrowser(context, describeOwner(context, userId))
}
