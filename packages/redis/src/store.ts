import type { UserFields } from "@latchkey/adapter-kit"
import type { RedisClient } from "./client/clients.ts"
import type { Connection } from "./client/connection.ts"
import type { Keys, SessionKeys } from "./keys.ts"
import type { IndexStore } from "./sessions/expiring-index.ts"

/** Redis with Latchkey's keys. */
export interface Store {
  readonly connection: Connection
  readonly keys: Keys
  readonly userFields: UserFields
  /** How long expired records are kept, in milliseconds. */
  readonly keepExpired: number
}

/** Redis with the keys of session records and changes. */
export interface RecordStore extends IndexStore {
  readonly client: RedisClient
  readonly keys: SessionKeys
  /** How long to wait for another connection, in milliseconds. */
  readonly timeout: number
}
