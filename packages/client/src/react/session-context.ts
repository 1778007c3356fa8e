import { type Context, createContext } from "react"
import type { Client, SessionState } from "../client-types.ts"

/** The session of a client, as pages know it: without functions and dates. */
export type ClientSession = NonNullable<Awaited<ReturnType<Client["getSession"]>>>

/** The value that `SessionProvider` passes to the components below it. */
export interface ProvidedSession {
  readonly client: Client
  /** The session that the server rendered; undefined if it rendered none. */
  readonly session: ClientSession | null | undefined
  /** The state of the client when the server rendered it. A later state is newer. */
  readonly replaces: SessionState<ClientSession>
}

export const SessionContext: Context<ProvidedSession | undefined> = createContext<
  ProvidedSession | undefined
>(undefined)
