import { createElement, type ReactNode, useEffect, useState } from "react"
import { configureClient } from "./client.ts"
import { type ClientSession, SessionContext } from "./session-context.ts"

/** The properties of {@link SessionProvider}. */
export interface SessionProviderProps {
  readonly children?: ReactNode
  /** The result of `auth()` on the server. Without it, components show `loading` until the session is known. */
  readonly session?: ClientSession | null | undefined
  /** The path of the library's actions. @defaultValue `/api/auth` under the `basePath` of Next.js */
  readonly basePath?: string | undefined
  /** How often to request the session while the page is visible, in seconds; 0 for never. @defaultValue 0 */
  readonly refetchInterval?: number | undefined
}

/**
 * Provides the session to `useSession`. It requests the session when the page is opened or becomes visible again, which renews
 * it, and when another tab has changed it.
 */
export function SessionProvider({
  children,
  session,
  basePath,
  refetchInterval: pollInterval,
}: SessionProviderProps): ReactNode {
  const client = configureClient({
    ...(basePath && { basePath }),
    ...(pollInterval && { pollInterval }),
  })
  const [provided, setProvided] = useState({ session, replaces: client.sessionState() })
  const hasChanged = describeSession(provided.session) !== describeSession(session)
  if (hasChanged) setProvided({ session, replaces: client.sessionState() })
  const [first] = useState(provided)

  useEffect(() => {
    // The server has rendered another session, after an action for example. Other tabs learn of it, too.
    if (provided !== first) client.getSession().catch(() => {})
  }, [client, provided, first])

  return createElement(SessionContext.Provider, { value: { client, ...provided } }, children)
}

/** Whether two sessions are the same does not depend on when they expire, which changes with each rendering. */
function describeSession(session: ClientSession | null | undefined): string | undefined {
  return JSON.stringify(session && { ...session, expires: undefined })
}
