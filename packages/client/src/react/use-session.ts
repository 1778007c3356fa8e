import { useContext, useEffect, useSyncExternalStore } from "react"
import type { SessionState } from "../client-types.ts"
import { type ClientSession, type ProvidedSession, SessionContext } from "./session-context.ts"

/** The options of {@link useSession}. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Whether to go to the sign-in page if nobody is signed in. @defaultValue false */
  readonly required?: Required
  /** Called instead of going to the sign-in page. */
  readonly onUnauthenticated?: (() => void) | undefined
}

/** Changes the session, or, without data, requests it again. Returns it. */
export type UpdateSession = (data?: unknown) => Promise<ClientSession | null>

/** The result of {@link useSession}. */
export type SessionContextValue<Required extends boolean = false> =
  | {
      readonly update: UpdateSession
      readonly data: ClientSession
      readonly status: "authenticated"
    }
  | {
      readonly update: UpdateSession
      readonly data: null
      readonly status: Required extends true ? "loading" : "loading" | "unauthenticated"
    }

const unknownState: SessionState<ClientSession> = { kind: "unknown" }

/**
 * Returns the session, and whether it is known. While the server cannot be reached, the last known session stays.
 *
 * @throws TypeError without a `SessionProvider` above
 */
export function useSession<const Required extends boolean = false>({
  required,
  onUnauthenticated,
}: UseSessionOptions<Required> = {}): SessionContextValue<Required> {
  const provided = useContext(SessionContext)
  if (!provided)
    throw new TypeError("Expected <SessionProvider> around components with useSession().")
  const { client } = provided
  const state = useSyncExternalStore(
    client.onSessionChange,
    client.sessionState,
    () => unknownState,
  )
  const session = selectSession(state, provided)
  const mustLeave = required === true && session === null
  useEffect(() => {
    if (!mustLeave) return
    if (onUnauthenticated) onUnauthenticated()
    else client.signIn().catch(() => {})
  }, [mustLeave, onUnauthenticated, client])
  const update: UpdateSession = (data) =>
    data === undefined ? client.getSession() : client.updateSession(data)
  if (session) return { update, data: session, status: "authenticated" }
  const status = session === undefined || required === true ? "loading" : "unauthenticated"
  // Of the two, `required` excludes one.
  return { update, data: null, status } as SessionContextValue<Required>
}

/** Returns the session; null if nobody is signed in, and undefined if that is unknown. */
function selectSession(
  state: SessionState<ClientSession>,
  { session, replaces }: ProvidedSession,
): ClientSession | null | undefined {
  const isKnown = state.kind === "signed-in" || state.kind === "signed-out"
  if (!isKnown || (state === replaces && session !== undefined)) return session
  return state.kind === "signed-in" ? state.session : null
}
