/** Keeps track of the rows that still exist. */
import { countUsers, userIndexOf } from "./rows.ts"

/** Returns a random integer from 0 up to, but not including, a limit. */
export function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** The numbers of active sessions. */
export class ActiveSessions {
  readonly #sessions: number
  readonly #users: number
  readonly #ended = new Set<number>()
  readonly #left = new Set<number>()

  constructor(sessions: number) {
    this.#sessions = sessions
    this.#users = countUsers(sessions)
  }

  /** Returns a random active session. */
  pickSession(): number {
    for (;;) {
      const session = randomBelow(this.#sessions)
      if (!this.#ended.has(session) && !this.#left.has(this.#userOf(session))) return session
    }
  }

  /** Removes and returns a random active session. */
  endSession(): number {
    const session = this.pickSession()
    this.#ended.add(session)
    return session
  }

  /** Returns a random user with sessions, and removes all of them. */
  endUserSessions(): number {
    const user = this.#userOf(this.pickSession())
    this.#left.add(user)
    return user
  }

  #userOf(session: number): number {
    return userIndexOf(session, this.#users)
  }
}
