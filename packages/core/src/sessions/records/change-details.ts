/** How the changes of sealed sessions are stored: their keys, and what they hold. */
import type { SessionChange } from "../../adapters.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { memoize } from "../../crypto/memoize.ts"

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
export interface SessionUpdateChange {
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

/** Whether the key is that of a revoked session. Such a change has no details that matter. */
export const isRevocation = (key: string): boolean => key.startsWith(revocationPrefix)

export const userKey = (user: string): string => `user ${user}`

export const updateKey = (id: string, random: string): string => `update ${id} ${random}`

const maxCachedUsers = 1000

/**
 * Returns 66 bits of the hash of a user's id: the token of each session has them. If two users ever had the same, their
 * sessions would end together.
 */
export const hashUserId: (userId: string) => Promise<string> = memoize(
  async (userId: string) => (await sha256Base64Url(`user id ${userId}`)).slice(0, 11),
  maxCachedUsers,
)

/** Returns the details of a change of a user, or of an update; undefined for changes of later versions of the library. */
export function parseChange({
  key,
  details,
}: SessionChange): UserRevocation | SessionUpdateChange | undefined {
  // Only this library writes them.
  const isKnown = key.startsWith("user ") || key.startsWith("update ")
  return isKnown ? JSON.parse(details) : undefined
}
