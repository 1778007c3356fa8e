/** Calls the `session` callback and checks its result before the client receives it. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { SessionConfig } from "../config/resolved-config.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { isObject } from "../objects.ts"
import type { JWT, Session } from "../types.ts"
import type { ClientUpdate } from "./session-strategy.ts"

type CallbackParams = Parameters<SessionConfig["callbacks"]["session"]>[0]

type StrategyParams =
  | { session: AdapterSession & { user: AdapterUser }; user: AdapterUser }
  | { session: Session; token: JWT }

/**
 * Returns the session for the client; null when the callback returned none.
 *
 * @throws TypeError when the result is neither a session nor null; what the callback throws
 */
export async function callSessionCallback(
  { callbacks, customCallbacks }: Pick<SessionConfig, "callbacks" | "customCallbacks">,
  strategyParams: StrategyParams,
  update: ClientUpdate,
  context: SessionContext,
): Promise<Session | null> {
  const updateParams = { newSession: update?.data, ...(update && { trigger: "update" }) }
  // The types of Auth.js describe both strategies at once.
  const params = { ...strategyParams, ...updateParams } as unknown as CallbackParams
  if (customCallbacks.has("session")) addRequest(params, context)
  const result: unknown = await callbacks.session(params)
  if (result === null) return null
  // A callback without a `return` must not look like a sign-out.
  if (!isObject(result))
    throw new TypeError("The `session` callback must return the session, or null for none")
  const session = result as unknown as Session // the application decides what its session holds
  const expires: unknown = session.expires // a Date if the callback returns the stored session
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}
