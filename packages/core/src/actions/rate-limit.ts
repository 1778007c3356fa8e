import type { RateLimitAttempt } from "../config/auth-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { TooManyRequests } from "../errors.ts"
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
  const attempt = { action, provider, request: new Request(url, { headers }) }
  const allowed: unknown = await config.rateLimit(
    identifier === undefined ? attempt : { ...attempt, identifier },
  )
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, received: describeValue(allowed) })
}
