/** The supported clients. Only the methods in use are described; no driver is imported. */

/** A client of `redis`: `createClient`, `createCluster`, `createClientPool`, `createSentinel`. */
export interface NodeRedisClient {
  evalSha(
    sha1: string,
    options: { readonly keys: string[]; readonly arguments: string[] },
  ): Promise<unknown>
  eval(
    script: string,
    options: { readonly keys: string[]; readonly arguments: string[] },
  ): Promise<unknown>
}

/** A client of `ioredis`: `Redis`, `Cluster`. */
export interface IoRedisClient {
  evalsha(sha1: string, keys: number, ...keysAndValues: string[]): Promise<unknown>
  eval(script: string, keys: number, ...keysAndValues: string[]): Promise<unknown>
}

/** A connected client, which the application opens and closes. */
export type RedisClient = NodeRedisClient | IoRedisClient

/** The commands in use, in a form common to all clients. */
export interface ScriptCommands {
  evalSha(sha1: string, keys: readonly string[], values: readonly string[]): Promise<unknown>
  eval(script: string, keys: readonly string[], values: readonly string[]): Promise<unknown>
}

/**
 * Adapts a client of either driver.
 * @throws TypeError if the client is of neither
 */
export function toScriptCommands(client: RedisClient): ScriptCommands {
  if (isNodeRedis(client)) {
    return {
      evalSha: (sha1, keys, values) =>
        client.evalSha(sha1, { keys: [...keys], arguments: [...values] }),
      eval: (script, keys, values) =>
        client.eval(script, { keys: [...keys], arguments: [...values] }),
    }
  }
  if (isIoRedis(client)) {
    return {
      evalSha: (sha1, keys, values) => client.evalsha(sha1, keys.length, ...keys, ...values),
      eval: (script, keys, values) => client.eval(script, keys.length, ...keys, ...values),
    }
  }
  throw new TypeError("The client must be one of `redis` (version 5 or newer) or of `ioredis`.")
}

function isNodeRedis(client: RedisClient): client is NodeRedisClient {
  return hasMethods(client, "evalSha")
}

function isIoRedis(client: RedisClient): client is IoRedisClient {
  return hasMethods(client, "evalsha")
}

/** Whether a client can open another connection: a pool of `redis` has only `execute`. */
export function canSubscribe(client: RedisClient): boolean {
  return hasMethods(client, "duplicate") || hasMethods(client, "execute")
}

/** An object with methods of these names. */
export type Methods<Name extends string> = Readonly<
  Record<Name, (...parameters: readonly unknown[]) => unknown>
>

/** Whether a value has methods of these names. */
export function hasMethods<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Methods<Name> {
  return (
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === "function")
  )
}
