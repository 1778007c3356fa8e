/** Latchkey in this application. */
import { FetchAuth, getSessionInfo } from "@latchkey/fetch"
import { createMiddleware } from "@latchkey/fetch/react-router"
import { config } from "./auth.config.server"

export const auth = FetchAuth(config)

export const { authMiddleware, authContext } = createMiddleware(auth)

export const { factors, sessions } = auth.getAuth()

// A server in production that could sign nobody in ends here.
auth.checkConfigAtStartup()

/** Returns the session of a member, and the ids of its user and of the session itself. */
export async function requireIds(context: { get(key: typeof authContext): RequestAuth }) {
  const session = await context.get(authContext).requireSession()
  return { userId: session.user.id ?? "", currentId: getSessionInfo(session)?.id }
}

type RequestAuth = NonNullable<(typeof authContext)["defaultValue"]>
