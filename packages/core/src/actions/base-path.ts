/** `GET` of the base path: leads to the sign-in page, or on to the application. */
import { redirectOutcome } from "../http/action-outcome.ts"
import type { Action } from "./action-context.ts"
import { resolveDestination } from "./resolve-callback-url.ts"
import { isSignedIn } from "./session.ts"

export const basePathAction: Action = async (context) =>
  redirectOutcome(
    (await isSignedIn(context))
      ? await resolveDestination(context)
      : `${context.request.actionsUrl}/signin`,
  )
