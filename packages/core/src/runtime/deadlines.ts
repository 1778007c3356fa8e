/** Ends of waiting. The two implementations stand beside this file. */

/** A deadline that was set. Nobody looks into it. */
type Deadline = object | number

export interface Deadlines {
  /**
   * Calls a function when some time is over, or up to a second later; later still where the thread is busy.
   *
   * @param limit in milliseconds
   */
  set(limit: number, expire: () => void): Deadline
  /** The function is not called any more. */
  clear(deadline: Deadline): void
}
