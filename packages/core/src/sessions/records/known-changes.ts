/** The changes of sealed sessions: how they are stored, and which ones a process knows. */
import type { SessionChange } from "../../adapters.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
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

/** How often expired changes are removed, in milliseconds. */
const pruneInterval = 60_000

/** An update that waits for its session. */
export type StoredUpdate = PendingUpdate & { readonly key: string }

type Known<Details> = Details & { readonly changedAt: number; readonly expires: number }

const noUpdates: readonly [] = []

export class KnownChanges {
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
