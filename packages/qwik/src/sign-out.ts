import { act, pageOf } from "./act.ts"
import { currentHeaders } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import type { Failed, Succeeded } from "./failure.ts"
import type { SignOutFields } from "./fields.ts"
import type { ConfigSource } from "./visit.ts"

/** What came of a sign-out. */
export type SignOutResult = Succeeded | Failed<keyof SignOutFields>

/** Ends the session. */
export function signOut(
  event: ActionEvent,
  source: ConfigSource,
  { redirectTo = pageOf(event) }: SignOutFields,
): Promise<SignOutResult> {
  return act(event, source, ({ mounted, url }) =>
    mounted.auth.signOut({ headers: currentHeaders(event), url, options: { redirectTo } }),
  )
}
