import type { ActionFailure, ActionSuccess } from "./action-result.ts"
import type { ConfigSource } from "./auth-context.ts"
import { getCurrentHeaders } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import type { SignOutFields } from "./form-fields.ts"
import { getPagePath, runAction } from "./run-action.ts"

/** What came of a sign-out. */
export type SignOutResult = ActionSuccess | ActionFailure<keyof SignOutFields>

/** Ends the session. */
export function signOut(
  event: ActionEvent,
  source: ConfigSource,
  { redirectTo = getPagePath(event) }: SignOutFields,
): Promise<SignOutResult> {
  return runAction(event, source, ({ integratedAuth, url }) =>
    integratedAuth.engine.signOut({
      headers: getCurrentHeaders(event),
      url,
      options: { redirectTo },
    }),
  )
}
