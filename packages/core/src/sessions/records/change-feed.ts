/** Keeps the known changes of a store current by asking it, and by its notifications if it has some. */
import type { SessionChange } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { AuthError, JWTSessionError } from "../../errors.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { Logger } from "../../logging/logger.ts"
import { KnownChanges } from "./known-changes.ts"

/** Each read goes back this far, because clocks differ and transactions commit late. In milliseconds, as all of these. */
const overlap = 30_000
/** Once in an interval, a read goes back further. */
const wideReadInterval = 60_000
const wideOverlap = 600_000
/** A store that sends notifications is read this often. */
const watchedPollInterval = 30_000
/** How long after a failed attempt to watch the store the next one may begin. */
const watchRetryInterval = 30_000
/** How long a request waits for a read once changes are known, in milliseconds. */
const readTimeout = 2000
/** Each unfinished read doubles the time until the next one, so many times at most. */
const maxDelayExponent = 5

type FeedOptions = Pick<ResolvedSessionRecords, "pollInterval" | "maxStaleness">

/** Keeps the known changes of one store current. */
export class ChangeFeed {
  readonly known: KnownChanges = new KnownChanges()
  readonly #store: AdapterStore
  readonly #logger: Logger
  /** When the next attempt to watch is due: never if the store cannot notify, or the watch has begun. */
  #watchDueAt: number
  /** Since when the store notifies; undefined while it does not. */
  #watchedSince: number | undefined
  /** When the last read began that succeeded. */
  #readAt: number | undefined
  #wideReadAt = 0
  #pending: { readonly startedAt: number; readonly done: Promise<void> } | undefined
  #unfinishedReads = 0
  /** Why the last read failed, and when. */
  #error: { readonly at: number; readonly cause: unknown } | undefined

  constructor(store: AdapterStore, canWatch: boolean, logger: Logger) {
    this.#store = store
    this.#logger = logger
    this.#watchDueAt = canWatch ? 0 : Number.POSITIVE_INFINITY
  }

  /**
   * Makes sure that the known changes are recent: at most `pollInterval` old, or `maxStaleness` while the store cannot
   * be reached.
   *
   * @throws JWTSessionError if they are older and the store cannot be reached
   */
  async ensureCurrent({ pollInterval, maxStaleness }: FeedOptions): Promise<void> {
    const now = Date.now()
    const interval = pollInterval * 1000
    const maxAge = this.#getMaxAge(interval)
    const age = this.#getAge(now)
    if (age < maxAge / 2) return
    if (!this.#error) {
      const read = this.#read(interval)
      if (age < maxAge) return
      await this.#waitFor(read)
    } else if (this.#isRetryDue(now, interval) && !this.#isReading(readTimeout)) {
      // One request starts the next attempt; the others do not wait for a store that may hang.
      const retry = this.#read(interval)
      if (age > maxStaleness * 1000) await this.#waitFor(retry)
    }
    const isTooOld = this.#getAge(Date.now()) > Math.max(maxStaleness * 1000, interval)
    if (this.#error && isTooOld) throw createUnavailableError(this.#error.cause)
  }

  /** Starts a read if what is known is older than `pollInterval`, and does not wait for it. */
  refreshInBackground({ pollInterval }: FeedOptions): void {
    const now = Date.now()
    const interval = pollInterval * 1000
    const isOld = this.#getAge(now) >= this.#getMaxAge(interval)
    if (isOld && this.#isRetryDue(now, interval)) void this.#read(interval)
  }

  /**
   * Reads the changes up to now.
   *
   * @param options `canWatch`: whether the store may be watched from now on
   * @throws JWTSessionError if the store cannot be reached
   */
  async refresh({ canWatch = true }: { readonly canWatch?: boolean } = {}): Promise<void> {
    await this.#waitFor(this.#read(-1, canWatch))
    if (this.#error) throw createUnavailableError(this.#error.cause)
  }

  /** Stores a change. This process knows it at once. */
  async save(change: SessionChange): Promise<void> {
    await this.#store.saveSessionChange(change)
    this.known.apply(change)
  }

  /** Returns how old the known changes may be, in milliseconds. */
  #getMaxAge(interval: number): number {
    // Notifications count once the store has been read since they began.
    const isWatched = this.#watchedSince !== undefined && (this.#readAt ?? 0) > this.#watchedSince
    return isWatched ? Math.max(watchedPollInterval, interval) : interval
  }

  /** Returns how old the known changes are, in milliseconds. */
  #getAge(now: number): number {
    const age = now - (this.#readAt ?? Number.NEGATIVE_INFINITY)
    return age >= 0 ? age : Number.POSITIVE_INFINITY // the clock was set back
  }

  /** Whether the store may be asked again. Rarely while it hangs, so that unfinished reads do not use up its connections. */
  #isRetryDue(now: number, interval: number): boolean {
    const delay = interval * 2 ** Math.min(this.#unfinishedReads, maxDelayExponent)
    return this.#error === undefined || now - this.#error.at >= delay
  }

  #isReading(maxAge: number): boolean {
    return this.#pending !== undefined && Date.now() - this.#pending.startedAt <= maxAge
  }

  /** Reads the changes, unless a read is under way that began at most `maxAge` milliseconds ago. Never rejects. */
  #read(maxAge: number, canWatch = true): Promise<void> {
    if (this.#pending && this.#isReading(maxAge)) return this.#pending.done
    const startedAt = Date.now()
    const done = this.#load(startedAt, canWatch).catch((error: unknown) =>
      this.#rememberError(error),
    )
    const pending = { startedAt, done }
    this.#pending = pending
    this.#unfinishedReads += 1
    void done.then(() => {
      this.#unfinishedReads -= 1
      if (this.#pending === pending) this.#pending = undefined
    })
    return done
  }

  /** Each request has its own timer: on some platforms, those of another request end with it. */
  async #waitFor(read: Promise<void>): Promise<void> {
    const timeout = this.#readAt === undefined ? backgroundTimeout : readTimeout
    const createError = () =>
      new AuthError({ summary: "The changes of sessions could not be read in time." })
    await withTimeout(timeout, read, createError).catch((error: unknown) =>
      this.#rememberError(error),
    )
  }

  #rememberError(cause: unknown): void {
    if (!this.#error) this.#logger.error(cause)
    this.#error = { at: Date.now(), cause }
  }

  /** The result is used even if it comes after the time limit. */
  async #load(startedAt: number, canWatch: boolean): Promise<void> {
    const readAt = this.#readAt
    const lastReadAt = Math.min(readAt ?? 0, startedAt) // the clock may have been set back
    const isWide = startedAt - this.#wideReadAt >= wideReadInterval
    const since = Math.max(0, lastReadAt - (isWide ? wideOverlap : overlap))
    // Not with the first read: an application that is configured anew for each request must not watch each time.
    if (canWatch && readAt !== undefined) this.#startWatching(startedAt)
    const changes = await this.#store.listSessionChanges(new Date(since))
    for (const change of changes) this.known.apply(change)
    this.known.prune(startedAt)
    if (isWide) this.#wideReadAt = startedAt
    this.#readAt = startedAt
    this.#error = undefined
  }

  /** Starts to watch, if the store can notify, and does not wait for it. */
  #startWatching(now: number): void {
    if (now < this.#watchDueAt) return
    this.#watchDueAt = Number.POSITIVE_INFINITY
    const started = this.#store.watchSessionChanges(
      (change) => this.#applyNotification(change),
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
        this.#watchDueAt = now + watchRetryInterval
      },
    )
  }

  /** Stores call it from handlers of events, where an error would end the process: the next read finds it. */
  #applyNotification(change: SessionChange): void {
    try {
      this.known.apply(change)
    } catch (error) {
      this.#logger.error(error)
      this.#watchedSince = Date.now()
    }
  }
}

function createUnavailableError(cause: unknown): JWTSessionError {
  return new JWTSessionError({
    expected: "the store of `session.records` to say which sessions were revoked",
    received: "no answer",
    hint: "`session.records.maxStaleness` is how long sessions are accepted without it.",
    cause,
  })
}
