/** The changes of sessions that other processes have to learn of, and those that a process knows. */
import type { SessionChange } from "../../adapters.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import type { SignInSnapshot } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"

/** All sessions of a user that began before a time are revoked. */
export interface UserRevocation {
  readonly kind: "user"
  /** The hash of the user's id. */
  readonly user: string
  /** In milliseconds since 1970. */
  readonly before: number
  /** Id of a session that stays, or of a sign-in that goes on. */
  readonly except?: string | undefined
}

/** A provider has ended a session there, or all sessions of a subject. */
export interface ProviderLogout {
  readonly kind: "logout"
  /** In seconds since 1970, by the clock of the provider. */
  readonly issuedAt?: number | undefined
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

/** Each revocation has a key of its own, so that it never replaces another one that a sign-in has not learned of. */
export const userKey = (user: string, random: string): string => `user ${user} ${random}`

/** @param unnamed for the sessions of a subject that the provider has not named */
export const logoutKey = (providerHash: string, unnamed?: "unnamed"): string =>
  ["logout", providerHash, ...(unnamed ? [unnamed] : [])].join(" ")

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

type Known<Details> = Details & {
  readonly expires: number
  /** How many changes this process had learned of before. */
  readonly position: number
}

const noUpdates: readonly [] = []

/** The changes that a process knows. */
export class KnownChanges {
  /** The keys of revoked sessions, and when they may be forgotten, in seconds, to save memory. */
  readonly #revoked = new Map<string, number>()
  /** Revocations by the hash of the user's id and by key. */
  readonly #users = new Map<string, Map<string, Known<UserRevocation>>>()
  readonly #logouts = new Map<string, Known<ProviderLogout>>()
  /** Updates that wait for the next check of their session, by session and key. */
  readonly #updates = new Map<string, Map<string, Known<PendingUpdate>>>()
  #prunedAt = Date.now()
  /** How many changes this process has learned of. A clock could not order those of several servers. */
  position = 0

  /** Adds a change. Changes may be repeated, and come in any order. */
  apply(change: SessionChange): void {
    const { key } = change
    const expires = change.expires.getTime()
    if (key.startsWith(revocationPrefix)) {
      this.#revoked.set(key, Math.ceil(expires / 1000))
      return
    }
    // Later versions of the library may write others.
    if (!/^(?:user|update|logout) /.test(key)) return
    const details: UserRevocation | PendingUpdate | ProviderLogout = JSON.parse(change.details)
    const known = { expires, position: this.position }
    if (details.kind === "user") {
      const revocations = getOrCreate(this.#users, details.user)
      if ((revocations.get(key)?.before ?? 0) >= details.before) return
      revocations.set(key, { ...details, ...known })
    } else if (details.kind === "logout") {
      if ((this.#logouts.get(key)?.expires ?? 0) >= expires) return
      this.#logouts.set(key, { ...details, ...known })
    } else {
      const updates = getOrCreate(this.#updates, details.id)
      if (details.isDone) updates.delete(key)
      else updates.set(key, { ...details, ...known })
      if (updates.size === 0) this.#updates.delete(details.id)
    }
    this.position += 1
  }

  /** Whether a session was revoked: by its id, or with all that its user began before a time. */
  isRevoked({ id = "", user = "", epoch = 0 }: SessionFacts): boolean {
    if (this.#revoked.size > 0 && this.#revoked.has(revocationKey(id))) return true
    for (const { before, except } of this.#users.get(user)?.values() ?? noUpdates)
      if (epoch < before && except !== id) return true
    return false
  }

  /** Whether sessions of a user were revoked since a sign-in began, other than by itself. */
  isUserRevokedSince({ id, position }: SignInSnapshot, user: string): boolean {
    const revocations = [...(this.#users.get(user)?.values() ?? noUpdates)]
    return revocations.some((each) => each.position >= position && each.except !== id)
  }

  /**
   * Whether a logout came since a sign-in began, or is later than the ID token by the clock of the provider.
   *
   * @param issuedAt in seconds since 1970; `NaN` if it is not known
   */
  isLoggedOutSince({ position }: SignInSnapshot, key: string, issuedAt: number): boolean {
    const logout = this.#logouts.get(key)
    return (
      logout !== undefined && (logout.position >= position || issuedAt < (logout.issuedAt ?? 0))
    )
  }

  /** Returns the time before which sessions of a user were revoked, in milliseconds since 1970; 0 if none were. */
  getRevokedBefore(user: string): number {
    const revocations = [...(this.#users.get(user)?.values() ?? noUpdates)]
    return Math.max(0, ...revocations.map(({ before }) => before))
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
    deleteExpired(this.#logouts, now)
    for (const changes of [this.#users, this.#updates])
      for (const [owner, ofOwner] of changes) {
        deleteExpired(ofOwner, now)
        if (ofOwner.size === 0) changes.delete(owner)
      }
  }
}

function getOrCreate<Value>(
  maps: Map<string, Map<string, Value>>,
  key: string,
): Map<string, Value> {
  const map = maps.get(key) ?? new Map<string, Value>()
  maps.set(key, map)
  return map
}

function deleteExpired(changes: Map<string, { readonly expires: number }>, now: number): void {
  for (const [key, { expires }] of changes) if (expires <= now) changes.delete(key)
}
