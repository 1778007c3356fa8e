/** Whose second factor a request is about: that of a sign-in that waits, or of a session that is running. */
import { secondFactorPath, stepUpPath } from "../../http/route.ts"
import { getCurrentSession } from "../../sessions/current-session.ts"
import type { KnownSessionFacts } from "../../sessions/session-facts.ts"
import type { ActionContext } from "../action-context.ts"
import type { CsrfScope } from "../csrf.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { assertOneUser } from "../session.ts"
import { type PendingSignIn, readPendingSignIn } from "./pending-sign-in.ts"

interface Subject {
  readonly userId: string
  /** The page for this subject. */
  readonly pageUrl: string
  /** Where the browser goes afterwards. */
  readonly callbackUrl: string
  readonly csrfScope: CsrfScope
}

export type FactorSubject =
  | (Subject & { readonly kind: "sign-in"; readonly pending: PendingSignIn })
  | (Subject & {
      readonly kind: "session"
      readonly facts: KnownSessionFacts
      /** Whether the person wants to add a factor. */
      readonly isAdding: boolean
    })

/**
 * Returns whose factor a request is about; undefined if no sign-in waits, or nobody is signed in.
 *
 * @throws AuthError if the session could not be checked, or there are cookies of several users
 */
export async function findSubject(context: ActionContext): Promise<FactorSubject | undefined> {
  const { request } = context
  const isStepUp = request.query.get("step-up") === "true"
  const isAdding = request.query.get("add") === "true"
  const path = isStepUp ? `${stepUpPath}${isAdding ? "&add=true" : ""}` : secondFactorPath
  const pageUrl = `${request.actionsUrl}/signin/${path}`
  if (isStepUp) {
    await assertOneUser(request, context)
    const { session, facts } = await getCurrentSession(request, context)
    if (!session || !facts?.userId) return undefined
    const callbackUrl = await resolveDestination(context)
    const { userId } = facts
    const subject = { userId, pageUrl, callbackUrl, csrfScope: "session" } as const
    return { kind: "session", facts, isAdding, ...subject }
  }
  const pending = await readPendingSignIn(context)
  if (!pending) return undefined
  const { userId, callbackUrl, state } = pending
  request.continueSignIn({ ...state, callbackUrl })
  return { kind: "sign-in", pending, userId, pageUrl, callbackUrl, csrfScope: "any-session" }
}
