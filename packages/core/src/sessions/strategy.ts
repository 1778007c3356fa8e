/** Sessions, wherever they are kept. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { AuthError } from "../errors.ts"
import type { Visit } from "../http/exchange.ts"
import type { Admitted } from "../proof.ts"
import type { JWT, Session } from "../types.ts"

/** A session that may be relied on, with what its strategy knows of it. */
export type ValidSession =
  | {
      readonly kind: "valid"
      readonly strategy: "jwt"
      readonly token: JWT
      /** The claims as text, as they were read, to see whether a callback changed them. */
      readonly plaintext: string
      readonly due: boolean
    }
  | {
      readonly kind: "valid"
      readonly strategy: "database"
      readonly session: AdapterSession
      readonly user: AdapterUser
      readonly due: boolean
    }

/** What became of a session cookie. Only `valid` carries somebody: nothing else can be mistaken for it. */
export type SessionRead =
  | { readonly kind: "none" }
  | ValidSession
  | { readonly kind: "expired" }
  /** Altered, foreign, unknown. `keep`: it may be a fault of the application's codec, so the cookie stays. */
  | { readonly kind: "invalid"; readonly reason: string; readonly keep: boolean }
  /** The store could not be asked, or a callback failed: nobody is let in, and nobody is signed out. */
  | { readonly kind: "unavailable"; readonly error: AuthError }

/** Data that a client sent to change its session; absent when it only asks for it. */
export type SessionUpdate = { readonly data: unknown } | undefined

/** What a sign-out ended, in the shape of the event. */
export type Ended =
  | { readonly session: AdapterSession | null | undefined }
  | { readonly token: JWT | null }

/** One strategy, two implementations: `jwt.ts` and `database.ts`. */
export interface Sessions {
  /** Names the session of a visit, for binding other things to it; empty for nobody. */
  binding(visit: Visit): Promise<string>
  read(visit: Visit): Promise<SessionRead>
  /**
   * Reads a session and asks the application whether it still stands, as an access does: a `jwt` callback may have
   * revoked it. For acts that outlive the session.
   */
  confirm(visit: Visit): Promise<SessionRead>
  /** The id of the user whose valid session it is. */
  ownerOf(session: ValidSession): string | undefined
  /** Starts a session; the one that this browser had ends. Nothing ends when starting fails. */
  start(visit: Visit, admitted: Admitted): Promise<void>
  /**
   * The session as it is given out, after the callbacks; renewed when due or updated. Null when the `jwt`
   * callback ended it, or the `session` callback gives none out.
   *
   * @throws JWTSessionError, SessionTokenError when a callback failed; the cookie stays
   */
  present(visit: Visit, session: ValidSession, update: SessionUpdate): Promise<Session | null>
  /**
   * Ends the session of a visit; undefined when there was none.
   *
   * @throws SignOutError when it could not be ended; it is then still valid, and so is its cookie
   */
  end(visit: Visit): Promise<Ended | undefined>
  /** Deletes the cookies of a session. */
  clear(visit: Visit): void
}
