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
  { config, request: { url, headers } }: ActionContext,
  action: RateLimitAttempt["action"],
  provider: string,
  identifier: string | undefined,
): Promise<void> {
  if (!config.rateLimit) return
  const attempt = { action, provider, identifier, request: new Request(url, { headers }) }
  const allowed: unknown = await config.rateLimit(omitUndefined(attempt))
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, received: describeValue(allowed) })
}
