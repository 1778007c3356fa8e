/** Latchkey with the configuration of the tests. */
import { NextAuth } from "@latchkey/next"
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

export async function requireIds() {
  const session = await requireSession()
  return { userId: `${session.user?.id}`, currentId: "" }
}
