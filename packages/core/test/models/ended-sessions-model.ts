/** Judges sessions that end while others begin, by the order in which operations began and ended. */

/** In seconds. No sum of the pauses in a sequence. */
export const idleTimeout = 3650
export const absoluteTimeout = 5050

/** When an operation began and ended, in milliseconds of the logical clock: each step takes one. */
interface Span {
  readonly start: number
  readonly end: number
}

/** A sign-in, from the request with its proof to the response. */
export interface SignIn extends Span {
  /** When the application began to check the proof: a request that had arrived late is not older than that. */
  readonly checkedAt: number
  readonly user: string
  readonly method: "password" | "provider"
  /** The session at the provider, if the ID token names it. */
  readonly sid?: string | undefined
  /** The session cookie of the response; undefined if the sign-in was refused. */
  readonly cookie: string | undefined
  /** Id of the session; undefined if it had ended before the response arrived. */
  readonly id: string | undefined
  /** When the session was certainly renewed for the last time, and when that was possible for the last time. */
  renewedAt: number
  usedAt: number
}

/** An operation that ends sessions. `covers` is `maybe` for those that it may end, or spare. */
export interface Ending extends Span {
  readonly covers: (signIn: SignIn) => boolean | "maybe"
  /** Whether it ends the sessions of later sign-ins, too: their user is gone. */
  readonly isFinal?: boolean
}

/** An operation in a browser. Those of one round overlap. */
export interface BrowserOperation {
  readonly kind: "sign in" | "sign out" | "check" | "plant"
  readonly browser: number
  readonly round: number
  readonly signIn?: SignIn
  /** Ids of the sessions whose cookies the browser sent. */
  readonly sent: readonly string[]
  readonly isDone: boolean
}

/** Whether a session has to be alive. */
export type Judgement = "alive" | "ended" | "uncertain"

/** A second for the steps of a round, and one because tokens have whole seconds. */
const tolerance = 2000
/** How many ended sessions a browser remembers. */
const maxEntries = 4

/** The operations of a sequence in one application, and what follows from them. */
export class History {
  readonly signIns: SignIn[] = []
  readonly endings: Ending[] = []
  readonly operations: BrowserOperation[] = []

  /** Judges a session, which is the same in every process once all operations have ended. */
  judge(signIn: SignIn, times: Pick<SignIn, "renewedAt" | "usedAt"> = signIn): Judgement {
    const judgement = this.judgeEndings(signIn)
    if (judgement === "ended") return "ended"
    const toEnd = (idle: number, began: number) =>
      Math.min(idle + idleTimeout * 1000, began + absoluteTimeout * 1000)
    const now = Date.now()
    if (now > toEnd(times.usedAt, signIn.end) + tolerance) return "ended"
    const isRecent = now < toEnd(times.renewedAt, signIn.start) - tolerance
    return isRecent ? judgement : "uncertain"
  }

  /** The same, as if no time had passed. */
  judgeEndings(signIn: SignIn): Judgement {
    const relevant = this.endings.filter(
      (each) => each.covers(signIn) && (each.isFinal || signIn.start < each.end),
    )
    const isEnded = relevant.some(
      (each) => each.covers(signIn) === true && (each.isFinal || signIn.checkedAt < each.start),
    )
    if (isEnded) return "ended"
    return relevant.length > 0 ? "uncertain" : "alive"
  }

  /**
   * Returns the only session that a browser may show, null if it must show none, undefined if several things are
   * possible: its last operations have overlapped.
   */
  findExpected(browser: number): SignIn | null | undefined {
    const own = this.operations.filter((each) => each.browser === browser)
    const last = own.findLast(({ kind }) => kind !== "check")
    if (!last) return null
    if (last.kind === "sign out" && this.#isAlone(last)) return null
    const { signIn } = last
    return signIn && this.#isAlone(last) && this.judge(signIn) === "alive" ? signIn : undefined
  }

  /** Returns the operations that failed, although nothing has overlapped with them that could be the reason. */
  findWrongRefusals(): BrowserOperation[] {
    return this.operations.filter((operation) => {
      const { signIn, isDone } = operation
      const isRefused = !isDone || (signIn && signIn.id === undefined)
      return isRefused && this.#isAlone(operation) && (!signIn || this.#isUndisturbed(signIn))
    })
  }

  /** Whether a session has ended in a browser, whatever cookies it sends. */
  hasEndedIn(browser: number, { id, user }: SignIn): boolean {
    const own = this.operations.filter(
      (each) => each.browser === browser && (each.kind === "sign in" || each.kind === "sign out"),
    )
    return own.some((operation, index) => {
      const { signIn, isDone, sent, round } = operation
      const isEnding = signIn ? signIn.cookie !== undefined && signIn.user !== user : isDone
      const isForgotten = own.slice(index).flatMap((each) => each.sent).length > maxEntries
      const isAlone = own.every((each) => each === operation || each.round !== round)
      return isEnding && sent.includes(id ?? "") && isAlone && !isForgotten
    })
  }

  #isAlone(operation: BrowserOperation): boolean {
    const { browser, round } = operation
    return this.operations.every(
      (each) => each === operation || each.browser !== browser || each.round !== round,
    )
  }

  #isUndisturbed(signIn: SignIn): boolean {
    return this.endings.every(
      (each) =>
        !each.covers(signIn) ||
        signIn.end < each.start ||
        (signIn.start > each.end && !each.isFinal),
    )
  }
}
