/** What the actions have in common. */
import type { RedirectResult } from "@latchkey/core"
import { assertSameOrigin } from "@latchkey/core/integration"
import { type ActionFailure, type ActionSuccess, createActionFailure } from "./action-result.ts"
import { type AuthContext, type ConfigSource, getAuthContext, getConfig } from "./auth-context.ts"
import { setCookies } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import { redirectAfterAction } from "./redirect.ts"

/** Does what an action is for, and leads the browser on; or tells why not. */
export async function runAction(
  event: ActionEvent,
  source: ConfigSource,
  operation: (authContext: AuthContext) => Promise<RedirectResult>,
): Promise<ActionSuccess | ActionFailure<never>> {
  const config = await getConfig(event, source)
  let result: RedirectResult
  let authContext: AuthContext
  try {
    authContext = getAuthContext(event, config)
    // Qwik looks too, unless the application told it not to.
    assertSameOrigin(event.request.headers, authContext.url.origin)
    result = await operation(authContext)
  } catch (error) {
    return createActionFailure(event, error)
  }
  setCookies(event, result.cookies)
  authContext.session = undefined
  redirectAfterAction(event, result.redirect, authContext)
  return {}
}

/** The page that an action was called from: where its form leads to when it does not say. */
export function getPagePath({ url, query }: ActionEvent): string {
  const parameters = new URLSearchParams(query)
  parameters.delete("qaction")
  return parameters.size > 0 ? `${url.pathname}?${parameters}` : url.pathname
}
