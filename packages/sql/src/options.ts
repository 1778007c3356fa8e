import { defaultNames, type TableNames } from "./schema/tables.ts"
import type { UserFieldKind, UserFields } from "./schema/user-fields.ts"

/** How the database looks. `migrate` and `SqlAdapter` must be given the same. */
export interface SqlOptions {
  /**
   * Names of the tables, by entity: `{ User: "auth_user" }`. Letters, digits and `_`.
   * @defaultValue the names of the entities, and `LatchkeyMigration`
   */
  readonly names?: Partial<TableNames>
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
}

/** Options of `SqlAdapter`. */
export interface SqlAdapterOptions extends SqlOptions {
  /**
   * Creates and updates the tables before the first statement.
   * @defaultValue false
   */
  readonly migrate?: boolean
}

/** Options with every default applied. */
export interface ResolvedOptions {
  readonly names: TableNames
  readonly userFields: UserFields
  readonly busyTimeout: number
  readonly migrate: boolean
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
const entityColumns: readonly string[] = ["id", "name", "email", "emailverified", "image"]
const kinds: readonly UserFieldKind[] = ["boolean", "date", "json", "number", "text"]
const known: readonly string[] = ["busyTimeout", "migrate", "names", "userFields"]

/**
 * Applies defaults.
 * @throws TypeError naming the option that cannot be used
 */
export function resolveOptions(options: SqlAdapterOptions): ResolvedOptions {
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) throw new TypeError(`There is no option \`${option}\`.`)
  }
  const { busyTimeout = 5000, migrate = false, names = {}, userFields = {} } = options
  if (typeof busyTimeout !== "number" || !(busyTimeout >= 0)) {
    throw new TypeError("`busyTimeout` must be a number of milliseconds, 0 or more.")
  }
  if (typeof migrate !== "boolean") throw new TypeError("`migrate` must be true or false.")
  return { busyTimeout, migrate, names: resolveNames(names), userFields: checkFields(userFields) }
}

function resolveNames(names: Partial<TableNames>): TableNames {
  for (const [entity, name] of Object.entries(names)) {
    if (!Object.hasOwn(defaultNames, entity)) {
      const entities = Object.keys(defaultNames).join(", ")
      throw new TypeError(`\`names.${entity}\` names no entity: expected one of ${entities}.`)
    }
    if (typeof name !== "string" || !identifier.test(name)) {
      throw new TypeError(`\`names.${entity}\` must be letters, digits and "_", 63 at most.`)
    }
  }
  const resolved = { ...defaultNames, ...names }
  const different = new Set(Object.values(resolved).map((name) => name.toLowerCase()))
  if (different.size < Object.keys(resolved).length) {
    throw new TypeError("`names` must give every entity a table of its own.")
  }
  return resolved
}

function checkFields(fields: UserFields): UserFields {
  const seen = new Set(entityColumns)
  for (const [name, kind] of Object.entries(fields)) {
    // A name such as `constructor` would be found in every user.
    if (!identifier.test(name) || seen.has(name.toLowerCase()) || name in Object.prototype) {
      throw new TypeError(
        `\`userFields.${name}\` must be named by letters, digits and "_", unlike any other column.`,
      )
    }
    if (!kinds.includes(kind)) {
      throw new TypeError(`\`userFields.${name}\` must be one of ${kinds.join(", ")}.`)
    }
    seen.add(name.toLowerCase())
  }
  return { ...fields }
}
