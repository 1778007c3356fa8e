import type { ActionFailure, ActionSuccess } from "./action-result.ts"
import type { ConfigSource } from "./auth-context.ts"
import { getCurrentHeaders } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import type { SignInFields } from "./form-fields.ts"
import { getPagePath, runAction } from "./run-action.ts"

/** What came of a sign-in. */
export type SignInResult = ActionSuccess | ActionFailure<keyof SignInFields>

/** Begins a sign-in, or signs in with credentials. */
export function signIn(
  event: ActionEvent,
  source: ConfigSource,
  { providerId, redirectTo, authorizationParams, options = {} }: SignInFields,
): Promise<SignInResult> {
  const callbackUrl = options.redirectTo ?? redirectTo ?? getPagePath(event)
  return runAction(event, source, ({ integratedAuth, url }) =>
    integratedAuth.engine.signIn({
      headers: getCurrentHeaders(event),
      url,
      provider: providerId || undefined,
      options: { ...options, redirectTo: callbackUrl },
      authorizationParams,
    }),
  )
}
