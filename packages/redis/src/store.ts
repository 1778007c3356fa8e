import type { Connection } from "./client/connection.ts"
import type { Keys } from "./keys.ts"
import type { UserFields } from "./options.ts"

/** Redis with our keys in it. */
export interface Store {
  readonly connection: Connection
  readonly keys: Keys
  readonly userFields: UserFields
  /** How long what has expired is kept, in milliseconds. */
  readonly keepExpired: number
}
