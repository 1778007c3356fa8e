import {
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseErrorFacts,
} from "@latchkey/adapter-kit"

const hints: Partial<Record<DatabaseErrorCode, string>> = {
  busy: "Try again.",
  cluster: "Use a cluster client: `createCluster` of redis, or `Cluster` of ioredis.",
  failed: "See `detail`.",
  full: "Raise `maxmemory`, or store less in this Redis.",
  "name-taken": "Choose another name with the option `prefix`.",
  "not-found": "It may have been deleted meanwhile.",
  "read-only": "Connect to the primary. If this is the primary, check why it cannot save to disk.",
  refused:
    "Check the password, and the commands and keys in the ACL: docs/adapters.md has the line.",
  timeout: "Check the load of Redis, or raise the option `timeout`.",
  unreachable: "Connect the client before you use it, and check that Redis is running.",
}

/**
 * An operation failed. There is no `cause`, because drivers put what was sent into their errors: tokens and records.
 */
export class RedisError extends DatabaseError {
  override readonly name = "RedisError"

  constructor(code: DatabaseErrorCode, facts: Pick<DatabaseErrorFacts, "operation" | "detail">) {
    super(code, { hint: hints[code], ...facts })
  }
}
