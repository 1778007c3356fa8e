import { createElement, type ReactNode, useEffect, useState } from "react"
import type { Client } from "../client-types.ts"
import { type ClientSession, SessionContext } from "./session-context.ts"

/** The properties of `SessionProvider`. */
export interface SessionProviderProps {
  readonly children?: ReactNode
  /** The session that the server knows. Without it, components show `loading` until the session is known. */
  readonly session?: ClientSession | null | undefined
  /** The path of the library's actions. @defaultValue that of the framework's package, such as `/auth` */
  readonly basePath?: string | undefined
  /** How often to request the session while the page is visible, in seconds; 0 for never. @defaultValue 0 */
  readonly refetchInterval?: number | undefined
}

/** The properties of {@link ProvideSession}. */
export interface ProvideSessionProps extends Pick<SessionProviderProps, "children" | "session"> {
  readonly client: Client
}

/** Provides the session of a client to the components below. */
export function ProvideSession({ children, session, client }: ProvideSessionProps): ReactNode {
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
