/** Which rows are still there. */
import { countUsers, userIndexOf } from "./rows.ts"

/** A whole number from 0, below a limit. */
export function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** The numbers of sessions that nobody has ended yet. */
export class ActiveSessions {
  readonly #sessions: number
  readonly #users: number
  readonly #ended = new Set<number>()
  readonly #left = new Set<number>()

  constructor(sessions: number) {
    this.#sessions = sessions
    this.#users = countUsers(sessions)
  }

  /** One of them. */
  pickSession(): number {
    for (;;) {
      const session = randomBelow(this.#sessions)
      if (!this.#ended.has(session) && !this.#left.has(this.#userOf(session))) return session
    }
  }

  /** One that is ended now. */
  endSession(): number {
    const session = this.pickSession()
    this.#ended.add(session)
    return session
  }

  /** Somebody with sessions, who ends them all now. */
  endUserSessions(): number {
    const user = this.#userOf(this.pickSession())
    this.#left.add(user)
    return user
  }

  #userOf(session: number): number {
    return userIndexOf(session, this.#users)
  }
}
