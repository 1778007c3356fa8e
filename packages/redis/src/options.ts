import { recordFields, type UserFields, validateUserFields } from "@latchkey/adapter-kit"

/** Options common to `RedisAdapter` and `RedisSessions`. */
export interface RedisOptions {
  /**
   * Prefix of every key: letters, digits and `_ - . :`. Applications that share a Redis need different ones, none of
   * which begins with another one and a colon.
   * @defaultValue "latchkey"
   */
  readonly prefix?: string
  /**
   * How long to wait for a reply of Redis before a call rejects, in milliseconds.
   * @defaultValue 2000
   */
  readonly timeout?: number
  /**
   * How long expired sessions and e-mail tokens can still be read before Redis removes them, in milliseconds. It must
   * exceed the differences between the servers' clocks.
   * @defaultValue 3600000
   */
  readonly keepExpired?: number
}

/** Options of `RedisAdapter`. */
export interface RedisAdapterOptions extends RedisOptions {
  /**
   * Additional fields of users: `{ role: "text" }`. Other fields are not stored.
   * @defaultValue none
   */
  readonly userFields?: UserFields
}

/** Options with all defaults applied. */
export type ResolvedOptions = Required<RedisAdapterOptions>

/**
 * Applies defaults.
 * @param optionNames names of the supported options
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
  return {
    keepExpired,
    prefix,
    timeout,
    userFields: validateUserFields(userFields, Object.keys(recordFields.User)),
  }
}
