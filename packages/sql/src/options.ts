import type { IdSource } from "./schema/id-codecs.ts"
import { resolveLayout, type SchemaLayout, type SchemaNaming } from "./schema/layout.ts"
import { entityFields } from "./schema/tables.ts"
import type { UserFieldKind, UserFields } from "./schema/user-fields.ts"

/** How the database looks. `migrate` and `SqlAdapter` must be given the same. */
export interface SqlOptions {
  /**
   * Names of the tables and columns, by entity: `{ User: "auth_user" }`, or
   * `{ User: { table: "auth_user", columns: { emailVerified: "email_verified" } } }`. Letters, digits and `_`.
   * @defaultValue the names of the entities and their fields, `LatchkeyLease` and `LatchkeyMigration`
   */
  readonly names?: SchemaNaming
  /**
   * Who makes ids: the library (UUIDs, as text) or the database (numbers, that it counts).
   * @defaultValue "application"
   */
  readonly ids?: IdSource
  /**
   * Additional fields of users, each a nullable column of its own: `{ role: "text" }`. Fields that are not
   * declared here are not stored.
   * @defaultValue none
   */
  readonly userFields?: UserFields
  /**
   * How long to wait for a lock of another connection, in milliseconds.
   * @defaultValue 5000
   */
  readonly busyTimeout?: number
  /**
   * Whether `migrate` takes tables for its own that have their names already, and adds what they lack, instead of
   * refusing them.
   * @defaultValue false
   */
  readonly adopt?: boolean
}

/** Options of `SqlAdapter`. */
export interface SqlAdapterOptions extends SqlOptions {
  /**
   * Creates and updates the tables before the first statement.
   * @defaultValue false
   */
  readonly migrate?: boolean
  /**
   * How often at most a new session or e-mail token takes away rows that expired a day ago or earlier, up to 1000 of
   * each table, in seconds. It is done aside; nobody waits for it. 0 for never.
   * @defaultValue 600
   */
  readonly sweepInterval?: number
}

/** Options with every default applied. */
export interface ResolvedOptions {
  readonly layout: SchemaLayout
  readonly ids: IdSource
  readonly userFields: UserFields
  readonly busyTimeout: number
  readonly adopt: boolean
  readonly migrate: boolean
  readonly sweepInterval: number
}

const identifierPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
const userFieldKinds: readonly UserFieldKind[] = ["boolean", "date", "json", "number", "text"]
const optionNames: readonly string[] = [
  "adopt",
  "busyTimeout",
  "ids",
  "migrate",
  "names",
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
  const layout = resolveLayout(options.names ?? {})
  return {
    busyTimeout,
    ids,
    sweepInterval,
    adopt: resolveFlag("adopt", options.adopt),
    migrate: resolveFlag("migrate", options.migrate),
    layout,
    userFields: validateUserFields(options.userFields ?? {}, layout),
  }
}

function resolveFlag(name: string, value: unknown = false): boolean {
  if (typeof value !== "boolean") throw new TypeError(`\`${name}\` must be true or false.`)
  return value
}

function validateUserFields(fields: UserFields, layout: SchemaLayout): UserFields {
  const reservedNames = entityFields.User.flatMap((field) => [
    field,
    layout.column("User", field) ?? field,
  ])
  const seen = new Set(reservedNames.map((name) => name.toLowerCase()))
  for (const [name, kind] of Object.entries(fields)) {
    // A name such as `constructor` would be found in every user.
    if (!identifierPattern.test(name) || seen.has(name.toLowerCase()) || name in Object.prototype) {
      throw new TypeError(
        `\`userFields.${name}\` must be named by letters, digits and "_", unlike any other column.`,
      )
    }
    if (!userFieldKinds.includes(kind)) {
      throw new TypeError(`\`userFields.${name}\` must be one of ${userFieldKinds.join(", ")}.`)
    }
    seen.add(name.toLowerCase())
  }
  return { ...fields }
}
