/** Latchkey in this application. */
import { getSessionInfo, NextAuth } from "@latchkey/next"
import { config } from "./auth.config.ts"

export const {
  handlers,
  auth,
  signIn,
  signOut,
  updateSession,
  requireFreshSession,
  requireSession,
  factors,
  passkeys,
  sessions: sessionStore,
} = NextAuth(config)

/** Returns the ids of the user and of this session. Redirects visitors who are signed out to the sign-in page. */
export async function requireIds() {
  const session = await requireSession()
  const { id: userId } = session.user
  if (userId === undefined)
    throw new Error("Expected the session callback to add the id of the user.")
  return { userId, currentId: getSessionInfo(session)?.id }
}
