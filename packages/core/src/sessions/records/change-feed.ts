/**
 * The changes of sealed sessions: how they are stored, and which ones a process knows. Those of one store are kept
 * current by asking it, and by its notifications if it has some.
 */
import type { SessionChange } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { AuthError, JWTSessionError } from "../../errors.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { Logger } from "../../logging/logger.ts"
import type { SessionFacts } from "../session-facts.ts"

/** All sessions of a user that began before a time are revoked. */
export interface UserRevocation {
  readonly kind: "user"
  /** The hash of the user's id. */
  readonly user: string
  /** In milliseconds since 1970. */
  readonly before: number
  /** Id of a session that stays. */
  readonly except?: string | undefined
}

/** A session gets data with its next check. */
export interface PendingUpdate {
  readonly kind: "update"
  /** Id of the session. */
  readonly id: string
  /** Later updates of a session have higher ones. */
  readonly version: number
  readonly data: unknown
  /** Whether a database session has received it. */
  readonly isDone?: boolean
}

const revocationPrefix = "session "

/** Returns the key of the change that revokes a session. */
export const revocationKey = (id: string): string => revocationPrefix + id

export const userKey = (user: string): string => `user ${user}`

export const updateKey = (id: string, random: string): string => `update ${id} ${random}`

/**
 * Returns 66 bits of the hash of a user's id: the token of each session has them. If two users ever had the same, their
 * sessions would end together.
 */
export const hashUserId = async (userId: string): Promise<string> =>
  (await sha256Base64Url(`user id ${userId}`)).slice(0, 11)

/** How far back each read goes, because clocks differ and transactions end late; and how far one of each minute goes. */
const overlap = 30_000
const wideOverlap = 600_000
const wideReadInterval = 60_000
/** How often the store is asked while it notifies, and how long after a failed attempt to watch it the next may begin. */
const watchedPollInterval = 30_000
const watchRetryInterval = 30_000
/** How long a request waits for a read once changes are known, in milliseconds. */
const readTimeout = 2000
/** Each unfinished read doubles the time until the next one, so many times at most. */
const maxDelayExponent = 5

/** How often expired changes are removed, in milliseconds. */
const pruneInterval = 60_000

/** An update that waits for its session. */
export type StoredUpdate = PendingUpdate & { readonly key: string }

type Known<Details> = Details & { readonly changedAt: number; readonly expires: number }

const noUpdates: readonly [] = []

class KnownChanges {
  /** The keys of revoked sessions, and when they may be forgotten, in seconds, to save memory. */
  readonly #revoked = new Map<string, number>()
  readonly #users = new Map<string, Known<UserRevocation>>()
  /** Updates that wait for the next check of their session, by session and key. */
  readonly #updates = new Map<string, Map<string, Known<PendingUpdate>>>()
  #prunedAt = Date.now()

  /** Adds a change. Changes may be repeated, and come in any order. */
  apply(change: SessionChange): void {
    const { key } = change
    const expires = change.expires.getTime()
    if (key.startsWith(revocationPrefix)) {
      this.#revoked.set(key, Math.ceil(expires / 1000))
      return
    }
    // Later versions of the library may write others.
    if (!key.startsWith("user ") && !key.startsWith("update ")) return
    const details: UserRevocation | PendingUpdate = JSON.parse(change.details)
    const changedAt = change.changedAt.getTime()
    if (details.kind === "user") {
      const known = this.#users.get(details.user)
      if (!known || known.changedAt <= changedAt)
        this.#users.set(details.user, { ...details, changedAt, expires })
    } else {
      const updates = this.#updates.get(details.id) ?? new Map()
      if (details.isDone) updates.delete(key)
      else updates.set(key, { ...details, changedAt, expires })
      if (updates.size > 0) this.#updates.set(details.id, updates)
      else this.#updates.delete(details.id)
    }
  }

  /** Whether a session was revoked: by its id, or with all that its user began before a time. */
  isRevoked({ id = "", user = "", epoch = 0 }: SessionFacts): boolean {
    if (this.#revoked.size > 0 && this.#revoked.has(revocationKey(id))) return true
    const change = this.#users.get(user)
    return change !== undefined && epoch < change.before && change.except !== id
  }

  /** Returns the time before which sessions of a user were revoked, in milliseconds since 1970; 0 if none were. */
  getRevokedBefore(user: string): number {
    return this.#users.get(user)?.before ?? 0
  }

  /** Returns the updates of a session after a version, the oldest first. */
  listUpdates(id: string, after = 0): readonly StoredUpdate[] {
    const updates = this.#updates.get(id)
    if (!updates) return noUpdates
    return [...updates]
      .map(([key, update]) => ({ ...update, key }))
      .filter(({ version }) => version > after)
      .sort((a, b) => a.version - b.version)
  }

  /** Removes expired changes. */
  prune(now: number): void {
    if (now - this.#prunedAt < pruneInterval) return
    this.#prunedAt = now
    for (const [key, seconds] of this.#revoked) if (seconds * 1000 <= now) this.#revoked.delete(key)
    for (const [user, { expires }] of this.#users) if (expires <= now) this.#users.delete(user)
    for (const [id, updates] of this.#updates) {
      for (const [key, { expires }] of updates) if (expires <= now) updates.delete(key)
      if (updates.size === 0) this.#updates.delete(id)
    }
  }
}

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
   * @throws JWTSessionError if the store cannot be reached
   */
  async refresh(): Promise<void> {
    await this.#waitFor(this.#read(-1))
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
  #read(maxAge: number): Promise<void> {
    if (this.#pending && this.#isReading(maxAge)) return this.#pending.done
    const startedAt = Date.now()
    const done = this.#load(startedAt).catch((error: unknown) => this.#rememberError(error))
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
    const createError = () => new AuthError("The changes of sessions could not be read in time.")
    await withTimeout(timeout, read, createError).catch((error: unknown) =>
      this.#rememberError(error),
    )
  }

  #rememberError(cause: unknown): void {
    if (!this.#error) this.#logger.error(cause)
    this.#error = { at: Date.now(), cause }
  }

  /** The result is used even if it comes after the time limit. */
  async #load(startedAt: number): Promise<void> {
    const readAt = this.#readAt
    const lastReadAt = Math.min(readAt ?? 0, startedAt) // the clock may have been set back
    const isWide = startedAt - this.#wideReadAt >= wideReadInterval
    const since = Math.max(0, lastReadAt - (isWide ? wideOverlap : overlap))
    // Not with the first read: an application that is configured anew for each request must not watch each time.
    if (readAt !== undefined) this.#startWatching(startedAt)
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
