/** Calls the `session` callback and checks its result before the client receives it. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { SessionConfig } from "../config/resolved-config.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { isObject, isPlainObject } from "../objects.ts"
import type { JWT, Session } from "../types.ts"
import type { SessionUpdate } from "./session-strategy.ts"

type CallbackParams = Parameters<SessionConfig["callbacks"]["session"]>[0]

type StrategyParams =
  | { session: AdapterSession & { user: AdapterUser }; user: AdapterUser }
  | { session: Session; token: JWT }

/**
 * Returns the session for the client; null when the callback returned none. The token of a database session is removed
 * wherever it is, because scripts could use it.
 *
 * @throws TypeError when the result is neither a session nor null; what the callback throws
 */
export async function callSessionCallback(
  { callbacks, customCallbacks }: Pick<SessionConfig, "callbacks" | "customCallbacks">,
  strategyParams: StrategyParams,
  update: SessionUpdate,
  context: SessionContext,
): Promise<Session | null> {
  // The default callback does not return the token, so there is nothing to remove. Read first, because an application's
  // callback may remove it from the stored session.
  const isCustom = customCallbacks.has("session")
  const hiddenToken =
    isCustom && "user" in strategyParams ? strategyParams.session.sessionToken : undefined
  const updateParams = { newSession: update?.data, ...(update && { trigger: "update" }) }
  // The types of Auth.js describe both strategies at once.
  const params = { ...strategyParams, ...updateParams } as unknown as CallbackParams
  if (isCustom) addRequest(params, context)
  const result: unknown = await callbacks.session(params)
  if (result === null) return null
  // A callback without a `return` must not look like a sign-out.
  if (!isObject(result))
    throw new TypeError("The `session` callback must return the session, or null for none")
  const session = (
    hiddenToken === undefined ? result : omitText({ ...result }, hiddenToken, new Set())
  ) as Session // the application decides what its session holds
  const expires: unknown = session.expires // a Date if the callback returns the stored session
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

/** Copies plain data without a text. Instances of classes are not copied. */
function omitText(value: unknown, text: string, path: Set<unknown>): unknown {
  // A cycle cannot become JSON, so it is not copied.
  if ((!Array.isArray(value) && !isPlainObject(value)) || path.has(value)) return value
  path.add(value)
  const copies = Object.entries(Array.isArray(value) ? [...value] : value)
    .filter(([, item]) => item !== text)
    .map(([name, item]) => [name, omitText(item, text, path)] as const)
  path.delete(value)
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}
