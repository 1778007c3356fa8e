/** The choice at sign-in between a session that ends with the browser and one that outlasts it. */
import type { ActionContext } from "../action-context.ts"

/**
 * Returns whether a form requests a session that outlasts the browser; undefined if it does not say, or users cannot
 * choose. Any value that does not say yes requests the shorter session.
 */
export function readRememberMe({
  config,
  request: { body },
}: Pick<ActionContext, "config" | "request">): boolean | undefined {
  if (!config.session.rememberMe || !Object.hasOwn(body, "rememberMe")) return undefined
  const value = body["rememberMe"] ?? undefined
  return value === undefined ? undefined : /^(?:true|on|1)$/i.test(String(value))
}
