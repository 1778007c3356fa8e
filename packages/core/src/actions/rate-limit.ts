import type { RateLimitAttempt } from "../config/auth-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { TooManyRequests } from "../errors.ts"
import { omitUndefined } from "../objects.ts"
import type { ActionContext } from "./action-context.ts"

/**
 * Calls the application's `rateLimit`, if it has one.
 *
 * @throws TooManyRequests
 */
export async function enforceRateLimit(
  context: ActionContext,
  action: RateLimitAttempt["action"],
  provider: string,
  identifier: string | undefined,
): Promise<void> {
  const {
    config,
    request: { url, headers, clientAddress },
  } = context
  if (!config.rateLimit) return
  const request = new Request(url, { headers })
  const attempt = { action, provider, identifier, clientAddress, request }
  const allowed: unknown = await config.rateLimit(omitUndefined(attempt))
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, received: describeValue(allowed) })
}
