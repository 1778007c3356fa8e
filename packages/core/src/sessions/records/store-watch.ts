/** Receives the changes of a store as they happen, if it notifies. */
import type { SessionChange } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { Logger } from "../../logging/logger.ts"
import type { KnownChanges } from "./known-changes.ts"

/** How long after a failed attempt the next one may begin, in milliseconds. */
const retryInterval = 30_000

export class StoreWatch {
  readonly #store: AdapterStore
  readonly #known: KnownChanges
  readonly #logger: Logger
  /** When the next attempt is due: never if the store cannot notify, or the watch has begun. */
  #dueAt: number
  /** Since when the store notifies; undefined while it does not. */
  #watchedSince: number | undefined

  constructor(store: AdapterStore, canWatch: boolean, known: KnownChanges, logger: Logger) {
    this.#store = store
    this.#known = known
    this.#logger = logger
    this.#dueAt = canWatch ? 0 : Number.POSITIVE_INFINITY
  }

  /** Whether the store notifies, and has been read since it does. */
  isCurrent(readAt = 0): boolean {
    return this.#watchedSince !== undefined && readAt > this.#watchedSince
  }

  /** Starts to watch, if the store can notify, and does not wait for it. */
  start(now: number): void {
    if (now < this.#dueAt) return
    this.#dueAt = Number.POSITIVE_INFINITY
    const started = this.#store.watchSessionChanges(
      (change) => this.#apply(change),
      // Without an error, the store notifies again, and what was missed can be read.
      (error?: unknown) => {
        this.#watchedSince = error === undefined ? Date.now() : undefined
        if (error !== undefined) this.#logger.error(error)
      },
    )
    started.then(
      () => {
        this.#watchedSince = Date.now()
      },
      (error: unknown) => {
        this.#logger.error(error)
        this.#dueAt = now + retryInterval
      },
    )
  }

  /** Stores call it from handlers of events, where an error would end the process: the next read finds it. */
  #apply(change: SessionChange): void {
    try {
      this.#known.apply(change)
    } catch (error) {
      this.#logger.error(error)
      this.#watchedSince = Date.now()
    }
  }
}
