/** The session of a visitor, as pages show it. */
import { getCurrentSession } from "../sessions/current-session.ts"
import type { Session } from "../types.ts"
import type { ActionContext } from "./action-context.ts"

/** Returns the current session; null if there is none, or it cannot be checked. */
export async function readShownSession(context: ActionContext): Promise<Session | null> {
  try {
    const { session } = await getCurrentSession(context.request, context)
    return session
  } catch (error) {
    context.logger.error(error) // a session that cannot be checked must not prevent a sign-in
    return null
  }
}

/** Returns the address or name of the user. */
export function getUserLabel(session: Session | null): string | undefined {
  return session?.user?.email ?? session?.user?.name ?? undefined
}
