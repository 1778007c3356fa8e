/** What went wrong in Redis, by stable names. */

/** The stable names of failures. `docs/adapters.md` tells what to do about each. */
export type RedisErrorCode =
  | "busy"
  | "cluster"
  | "duplicate"
  | "failed"
  | "full"
  | "missing-record"
  | "name-taken"
  | "read-only"
  | "refused"
  | "timeout"
  | "unavailable"
  | "unknown-user"

const errorMessages: Readonly<Record<RedisErrorCode, readonly [what: string, hint: string]>> = {
  busy: ["others changed the same record again and again", "Try again."],
  cluster: [
    "the keys belong to another node",
    "Redis runs as a cluster: give a cluster client, `createCluster` of redis or `Cluster` of ioredis.",
  ],
  duplicate: [
    "another record has the same unique value",
    "Nothing is to be done: the library knows what it means.",
  ],
  failed: ["Redis refused the script", "See `detail`."],
  full: ["Redis is out of memory", "Raise `maxmemory`, or let Redis hold less."],
  "missing-record": ["there is no such record", "Read it again: somebody has deleted it."],
  "name-taken": [
    "a key of that name holds something of the application's",
    "Choose another name with the option `prefix`.",
  ],
  "read-only": [
    "this Redis does not take changes",
    "Connect to the primary; if it is that, see why it cannot save to disk.",
  ],
  refused: [
    "Redis does not let this user do that",
    "See the password, and the commands and keys in the ACL: the guide has the line.",
  ],
  timeout: ["Redis did not answer in time", "See how busy it is, or raise the option `timeout`."],
  unavailable: [
    "Redis cannot be reached",
    "Connect the client before it is used, close it after the server, and see whether Redis runs.",
  ],
  "unknown-user": ["the user that the record belongs to does not exist", "Create the user first."],
}

/**
 * An operation failed. The driver's own error is not kept, because drivers write into it what was sent: tokens and
 * records.
 */
export class RedisError extends Error {
  /** Stable name of the failure. */
  readonly code: RedisErrorCode
  /** What was being done: the name of the adapter's method. */
  readonly operation: string
  /** What to do about it. */
  readonly hint: string
  /** What Redis or the driver said of it, without values; empty when they said nothing. */
  readonly detail: string

  constructor(
    code: RedisErrorCode,
    facts: { readonly operation: string; readonly detail?: string },
  ) {
    const { operation, detail = "" } = facts
    const [what, hint] = errorMessages[code]
    super(`${operation}: ${what}${detail && ` (${detail})`}. ${hint}`)
    this.name = "RedisError"
    this.code = code
    this.operation = operation
    this.hint = hint
    this.detail = detail
  }
}
