/** Keeps the known changes of one store current: by asking the store, and by its notifications if it has some. */
import type { SessionChange } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { AuthError, JWTSessionError } from "../../errors.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { Logger } from "../../logging/logger.ts"
import { KnownChanges } from "./known-changes.ts"

/** How far back each read goes, because clocks differ and transactions end late; and how far one of each minute goes. */
const overlap = 30_000
const wideOverlap = 600_000
const wideReadInterval = 60_000
/** How often the store is asked while it notifies, and how often watching it is tried. */
const watchedPollInterval = 30_000
/** How long a read may take once changes are known, in milliseconds. Meanwhile, requests wait. */
const readTimeout = 2000

export type FeedOptions = Pick<ResolvedSessionRecords, "pollInterval" | "maxStaleness">

export class ChangeFeed {
  readonly known: KnownChanges = new KnownChanges()
  readonly #store: AdapterStore
  readonly #logger: Logger
  /** When the next attempt to watch the store is due: never if it cannot notify, or has been watched since. */
  #watchDueAt: number
  /** Since when the store notifies. */
  #watchedSince: number | undefined
  /** When the last read began that succeeded. */
  #readAt: number | undefined
  #wideReadAt = 0
  #pending: { readonly startedAt: number; readonly done: Promise<void> } | undefined
  /** The last read, if it failed. */
  #failure: { readonly at: number; readonly error: unknown } | undefined

  constructor(store: AdapterStore, canWatch: boolean, logger: Logger) {
    this.#store = store
    this.#watchDueAt = canWatch ? 0 : Number.POSITIVE_INFINITY
    this.#logger = logger
  }

  /**
   * Makes sure that the known changes are recent: at most `pollInterval` old, or `maxStaleness` while the store cannot
   * be reached. Returns undefined if they are.
   *
   * @throws JWTSessionError, also as a rejection, if they are older and the store cannot be reached
   */
  ensureCurrent({ pollInterval, maxStaleness }: FeedOptions): Promise<void> | undefined {
    const now = Date.now()
    const interval = pollInterval * 1000
    const maxAge = this.#isWatching() ? Math.max(watchedPollInterval, interval) : interval
    // Negative if the clock was set back.
    const age = now - (this.#readAt ?? Number.NaN)
    const isYoungerThan = (limit: number) => age >= 0 && age < limit
    if (isYoungerThan(maxAge / 2)) return undefined
    const assertUsable = () => this.#assertUsable(Math.max(maxStaleness * 1000, interval))
    if (this.#failure) {
      // One request starts the next attempt; the others do not wait for a store that may hang.
      const isRetryDue = now - this.#failure.at >= interval && !this.#pending
      const retry = isRetryDue ? this.#read(interval) : undefined
      if (!retry || isYoungerThan(maxStaleness * 1000)) return assertUsable()
      return retry.then(assertUsable)
    }
    const read = this.#read(interval)
    return isYoungerThan(maxAge) ? undefined : read.then(assertUsable)
  }

  /**
   * Reads the changes up to now.
   *
   * @throws JWTSessionError if the store cannot be reached
   */
  async refresh(): Promise<void> {
    await this.#read(-1)
    if (this.#failure) throw createUnavailableError(this.#failure.error)
  }

  /** Reads the changes if what is known is older than `pollInterval`, without waiting. */
  refreshInBackground({ pollInterval }: FeedOptions): void {
    const interval = pollInterval * 1000
    const maxAge = this.#isWatching() ? watchedPollInterval : interval
    const lastAt = Math.max(this.#readAt ?? 0, this.#failure?.at ?? 0)
    if (Math.abs(Date.now() - lastAt) >= maxAge) void this.#read(interval)
  }

  /** Stores a change. This process knows it at once. */
  async save(change: SessionChange): Promise<void> {
    await this.#store.saveSessionChange(change)
    this.known.apply(change)
  }

  #assertUsable(maxAge: number): undefined {
    if (!this.#failure) return undefined
    const age = Date.now() - (this.#readAt ?? Number.NaN)
    if (age <= maxAge) return undefined
    throw createUnavailableError(this.#failure.error)
  }

  /** Reads the changes. Never rejects. Shares a read that began at most `maxAge` milliseconds ago. */
  #read(maxAge: number): Promise<void> {
    const startedAt = Date.now()
    if (this.#pending && startedAt - this.#pending.startedAt <= maxAge) return this.#pending.done
    const timeout = this.#readAt === undefined ? backgroundTimeout : readTimeout
    const createError = () => new AuthError("The changes of sessions could not be read in time.")
    const work = this.#load(startedAt)
    const done: Promise<void> = withTimeout(timeout, work, createError).then(
      () => this.#endRead(done),
      (error) => {
        if (!this.#failure) this.#logger.error(error)
        this.#failure = { at: Date.now(), error }
        this.#endRead(done)
      },
    )
    this.#pending = { startedAt, done }
    return done
  }

  #endRead(done: Promise<void>): void {
    if (this.#pending?.done === done) this.#pending = undefined
  }

  /** A result that comes too late still counts. */
  async #load(startedAt: number): Promise<void> {
    const readAt = this.#readAt
    const isWide = startedAt - this.#wideReadAt >= wideReadInterval
    // The clock may have been set back.
    const lastReadAt = Math.min(readAt ?? 0, startedAt)
    const since = Math.max(0, lastReadAt - (isWide ? wideOverlap : overlap))
    // Not for the first read: an application that is configured anew for each request must not watch each time.
    if (readAt !== undefined) this.#watch(startedAt)
    const changes = await this.#store.listSessionChanges(new Date(since))
    for (const change of changes) this.known.apply(change)
    this.known.prune(startedAt)
    if (isWide) this.#wideReadAt = startedAt
    this.#readAt = Math.max(startedAt, lastReadAt)
    this.#failure = undefined
  }

  /** Whether the store notifies, and a read has found the changes from before that. */
  #isWatching(): boolean {
    return this.#watchedSince !== undefined && (this.#readAt ?? 0) >= this.#watchedSince
  }

  #watch(now: number): void {
    if (now < this.#watchDueAt) return
    this.#watchDueAt = Number.POSITIVE_INFINITY
    const onInterruption = (error?: unknown) => {
      this.#watchedSince = error === undefined ? Date.now() : undefined
      if (error !== undefined) this.#logger.error(error)
    }
    const started = this.#store.watchSessionChanges((change) => {
      this.known.apply(change)
    }, onInterruption)
    started.then(
      () => {
        this.#watchedSince = Date.now()
      },
      (error) => {
        this.#logger.error(error)
        this.#watchDueAt = now + watchedPollInterval
      },
    )
  }
}

function createUnavailableError(cause: unknown): JWTSessionError {
  return new JWTSessionError("Whether sessions were revoked could not be read.", {
    cause,
    hint: "The store of session.records does not respond. `session.records.maxStaleness` is how long sessions are accepted without it.",
  })
}
