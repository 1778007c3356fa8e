import { type UserFields, validateUserFields } from "@latchkey/adapter-kit"
import type { IdSource } from "./schema/id-codecs.ts"
import { resolveLayout, type SchemaLayout, type SchemaNaming } from "./schema/layout.ts"
import { entityFields } from "./schema/tables.ts"

/** Describes the tables. `migrate` and `SqlAdapter` must get the same options. */
export interface SqlOptions {
  /**
   * Names of the tables and columns, by entity: `{ User: "auth_user" }`, or `{ User: { table: "auth_user", columns: {
   * emailVerified: "email_verified" } } }`. Letters, digits and `_`.
   * @defaultValue the names of the entities and their fields, `LatchkeyLease`, `LatchkeyAttempt`,
   *   `LatchkeySessionRecord`, `LatchkeySessionChange`, `LatchkeyFactor` and `LatchkeyMigration`
   */
  readonly names?: SchemaNaming
  /**
   * Whether the application makes ids (UUIDs, as text) or the database (numbers that it counts).
   * @defaultValue "application"
   */
  readonly ids?: IdSource
  /**
   * Additional fields of users, each in a nullable column: `{ role: "text" }`. Other fields are not stored.
   * @defaultValue none
   */
  readonly userFields?: UserFields
  /**
   * How long to wait for a lock of another connection, in milliseconds.
   * @defaultValue 5000
   */
  readonly busyTimeout?: number
  /**
   * Whether `migrate` adopts existing tables with these names, and adds what they lack, instead of refusing them.
   * @defaultValue false
   */
  readonly adopt?: boolean
  /**
   * Whether there are tables, and the adapter has methods, for the records of sessions that the option
   * `session.records` of the library keeps.
   * @defaultValue false
   */
  readonly sessionRecords?: boolean
  /**
   * Whether there is a table, and the adapter has methods, for the second factors of users, which the option `secondFactor`
   * of the library needs.
   * @defaultValue false
   */
  readonly secondFactor?: boolean
}

/** Options of `SqlAdapter`. */
export interface SqlAdapterOptions extends SqlOptions {
  /**
   * Creates and updates the tables before the first statement.
   * @defaultValue false
   */
  readonly migrate?: boolean
  /**
   * How often, at most, rows are removed that expired a day ago or earlier, in seconds. A new session, session
   * record or e-mail token triggers the removal of up to 1000 rows of each table, in the background. 0 for never.
   * @defaultValue 600
   */
  readonly sweepInterval?: number
  /**
   * Whether processes notify each other of changes of session records, with NOTIFY and LISTEN of PostgreSQL. Each keeps
   * one connection of its pool, which must be a `Pool` of `pg`, for that. PgBouncer with transaction pooling cannot do
   * it. Otherwise, processes ask the database.
   * @defaultValue false
   */
  readonly notify?: boolean
}

/** Options with all defaults applied. */
export interface ResolvedOptions {
  readonly layout: SchemaLayout
  readonly ids: IdSource
  readonly userFields: UserFields
  readonly busyTimeout: number
  readonly adopt: boolean
  readonly migrate: boolean
  readonly sweepInterval: number
  readonly sessionRecords: boolean
  readonly secondFactor: boolean
  readonly notify: boolean
}

const optionNames: readonly string[] = [
  "adopt",
  "busyTimeout",
  "ids",
  "migrate",
  "names",
  "notify",
  "secondFactor",
  "sessionRecords",
  "sweepInterval",
  "userFields",
]

/**
 * Applies defaults.
 * @throws TypeError naming the option that cannot be used
 */
export function resolveOptions(options: SqlAdapterOptions): ResolvedOptions {
  for (const option of Object.keys(options)) {
    if (!optionNames.includes(option)) throw new TypeError(`There is no option \`${option}\`.`)
  }
  const { busyTimeout = 5000, ids = "application", sweepInterval = 600 } = options
  if (typeof busyTimeout !== "number" || !(busyTimeout >= 0)) {
    throw new TypeError("`busyTimeout` must be a number of milliseconds, 0 or more.")
  }
  if (ids !== "application" && ids !== "database") {
    throw new TypeError('`ids` must be "application" or "database".')
  }
  if (typeof sweepInterval !== "number" || !(sweepInterval >= 0)) {
    throw new TypeError("`sweepInterval` must be a number of seconds, 0 or more.")
  }
  const sessionRecords = resolveFlag("sessionRecords", options.sessionRecords)
  const notify = resolveFlag("notify", options.notify)
  if (notify && !sessionRecords) throw new TypeError("`notify` needs `sessionRecords: true`.")
  const layout = resolveLayout(options.names ?? {})
  return {
    busyTimeout,
    ids,
    sweepInterval,
    sessionRecords,
    secondFactor: resolveFlag("secondFactor", options.secondFactor),
    notify,
    adopt: resolveFlag("adopt", options.adopt),
    migrate: resolveFlag("migrate", options.migrate),
    layout,
    userFields: validateUserFields(
      options.userFields ?? {},
      entityFields.User.flatMap((field) => [field, layout.column("User", field) ?? field]),
    ),
  }
}

function resolveFlag(name: string, value: unknown = false): boolean {
  if (typeof value !== "boolean") throw new TypeError(`\`${name}\` must be true or false.`)
  return value
}
