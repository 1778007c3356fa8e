import type { FieldKind } from "./values/encode-value.ts"

/** What an additional field of a user may hold. Every field may also be null. */
export type UserFieldKind = Extract<FieldKind, "boolean" | "date" | "json" | "number" | "text">

/** Additional fields of users, by name. */
export type UserFields = Readonly<Record<string, UserFieldKind>>

/** How Redis is used. */
export interface RedisOptions {
  /**
   * Begins the name of every key: letters, digits and `_ - . :`. Applications that share a Redis need different ones.
   * @defaultValue "latchkey"
   */
  readonly prefix?: string
  /**
   * How long an answer of Redis is waited for, in milliseconds; then the call rejects.
   * @defaultValue 2000
   */
  readonly timeout?: number
  /**
   * How long sessions and e-mail tokens that have expired can still be read, in milliseconds; then Redis removes
   * them. Longer than the clocks of the servers differ.
   * @defaultValue 3600000
   */
  readonly keepExpired?: number
}

/** Options of `RedisAdapter`. */
export interface RedisAdapterOptions extends RedisOptions {
  /**
   * Additional fields of users: `{ role: "text" }`. Fields that are not declared here are not stored.
   * @defaultValue none
   */
  readonly userFields?: UserFields
}

/** Options with every default applied. */
export type ResolvedOptions = Required<RedisAdapterOptions>

const userFieldKinds: readonly UserFieldKind[] = ["boolean", "date", "json", "number", "text"]
const builtInFields: readonly string[] = ["id", "name", "email", "emailverified", "image"]

/**
 * Applies defaults.
 * @param optionNames the names of the options that there are
 * @throws TypeError naming the option that cannot be used
 */
export function resolveOptions(
  options: RedisAdapterOptions,
  optionNames: readonly string[] = ["keepExpired", "prefix", "timeout", "userFields"],
): ResolvedOptions {
  for (const option of Object.keys(options)) {
    if (!optionNames.includes(option)) throw new TypeError(`There is no option \`${option}\`.`)
  }
  const { keepExpired = 3_600_000, prefix = "latchkey", timeout = 2000, userFields = {} } = options
  if (typeof prefix !== "string" || !/^[\w.:-]{1,100}$/.test(prefix)) {
    throw new TypeError("`prefix` must be letters, digits and `_ - . :`, 100 at most.")
  }
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > 2 ** 31 - 1) {
    throw new TypeError("`timeout` must be a whole number of milliseconds, 1 or more.")
  }
  if (!Number.isSafeInteger(keepExpired) || keepExpired < 1) {
    throw new TypeError("`keepExpired` must be a whole number of milliseconds, 1 or more.")
  }
  return { keepExpired, prefix, timeout, userFields: validateUserFields(userFields) }
}

function validateUserFields(fields: UserFields): UserFields {
  const seen = new Set(builtInFields)
  for (const [name, kind] of Object.entries(fields)) {
    // A name such as `constructor` would be found in every user.
    if (!/^[A-Za-z_]\w{0,62}$/.test(name) || seen.has(name.toLowerCase()) || name in {}) {
      throw new TypeError(
        `\`userFields.${name}\` must be named by letters, digits and "_", unlike any other field.`,
      )
    }
    if (!userFieldKinds.includes(kind)) {
      throw new TypeError(`\`userFields.${name}\` must be one of ${userFieldKinds.join(", ")}.`)
    }
    seen.add(name.toLowerCase())
  }
  return { ...fields }
}
