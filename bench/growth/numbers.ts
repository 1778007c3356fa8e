/** Which rows are still there. */
import { userOf, usersFor } from "./rows.ts"

/** A whole number from 0, below a limit. */
export function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** The numbers of sessions that nobody has ended yet. */
export class LivingSessions {
  readonly #sessions: number
  readonly #users: number
  readonly #ended = new Set<number>()
  readonly #left = new Set<number>()

  constructor(sessions: number) {
    this.#sessions = sessions
    this.#users = usersFor(sessions)
  }

  /** One of them. */
  any(): number {
    for (;;) {
      const session = below(this.#sessions)
      if (!this.#ended.has(session) && !this.#left.has(this.#userOf(session))) return session
    }
  }

  /** One that is ended now. */
  end(): number {
    const session = this.any()
    this.#ended.add(session)
    return session
  }

  /** Somebody with sessions, who ends them all now. */
  leave(): number {
    const user = this.#userOf(this.any())
    this.#left.add(user)
    return user
  }

  #userOf(session: number): number {
    return userOf(session, this.#users)
  }
}
