import type { UserFields } from "@latchkey/core/adapter-kit"
import type { Connection } from "./client/connection.ts"
import type { Keys } from "./keys.ts"

/** Redis with Latchkey's keys. */
export interface Store {
  readonly connection: Connection
  readonly keys: Keys
  readonly userFields: UserFields
  /** How long expired records are kept, in milliseconds. */
  readonly keepExpired: number
}
