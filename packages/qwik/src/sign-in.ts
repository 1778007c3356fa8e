import { act, pageOf } from "./act.ts"
import { currentHeaders } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import type { Failed, Succeeded } from "./failure.ts"
import type { SignInFields } from "./fields.ts"
import type { ConfigSource } from "./visit.ts"

/** What came of a sign-in. */
export type SignInResult = Succeeded | Failed<keyof SignInFields>

/** Begins a sign-in, or signs in with credentials. */
export function signIn(
  event: ActionEvent,
  source: ConfigSource,
  { providerId, redirectTo, authorizationParams, options = {} }: SignInFields,
): Promise<SignInResult> {
  const landing = options.redirectTo ?? redirectTo ?? pageOf(event)
  return act(event, source, ({ mounted, url }) =>
    mounted.auth.signIn({
      headers: currentHeaders(event),
      url,
      provider: providerId || undefined,
      options: { ...options, redirectTo: landing },
      authorizationParams,
    }),
  )
}
