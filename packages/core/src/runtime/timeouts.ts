/** Ends of waiting. The two implementations stand beside this file. */

/** A deadline that was set. Nobody looks into it. */
type TimeoutHandle = object | number

export interface Timeouts {
  /**
   * Calls a function when some time is over, or up to a second later; later still where the thread is busy.
   *
   * @param limit in milliseconds
   */
  set(limit: number, onTimeout: () => void): TimeoutHandle
  /** The function is not called any more. */
  clear(timeout: TimeoutHandle): void
}
