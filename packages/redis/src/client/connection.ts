import { RedisError } from "../errors.ts"
import type { ScriptCommands } from "./clients.ts"
import { diagnoseError, isUnknownScriptError } from "./diagnose-error.ts"
import type { Script } from "./script.ts"

/** The reply of a script. */
export type Reply = string | number | null | readonly Reply[]

/** A connection to Redis that runs scripts. */
export interface Connection {
  /**
   * Runs a script.
   * @param keys every key that the script uses; all in one slot
   * @throws RedisError
   */
  run(
    operation: string,
    script: Script,
    keys: readonly string[],
    values?: readonly string[],
  ): Promise<Reply>
}

/**
 * Creates a connection. Reads are scripts, too: clients may send plain read commands to replicas, where a session still
 * exists after it was ended.
 *
 * @param timeout how long to wait for a reply, in milliseconds
 */
export function createConnection(commands: ScriptCommands, timeout: number): Connection {
  async function evaluate(
    script: Script,
    keys: readonly string[],
    values: readonly string[],
  ): Promise<unknown> {
    try {
      return await commands.evalSha(script.sha1, keys, values)
    } catch (error) {
      if (!isUnknownScriptError(error)) throw error
      return commands.eval(script.source, keys, values)
    }
  }
  return {
    async run(operation, script, keys, values = []) {
      const createTimeoutError = (): RedisError => new RedisError("timeout", { operation })
      try {
        return normalizeReply(
          await withTimeout(timeout, evaluate(script, keys, values), createTimeoutError),
        )
      } catch (error) {
        if (error instanceof RedisError) throw error
        throw toRedisError(operation, error)
      }
    },
  }
}

/** Converts a driver's error, which is not kept as the cause because it may contain what was sent. */
function toRedisError(operation: string, error: unknown): RedisError {
  const { code, detail } = diagnoseError(error)
  return new RedisError(code, { operation, detail })
}

/** Limits the time to wait: some drivers wait forever for a server that is down. */
function withTimeout<Value>(
  limit: number,
  work: Promise<Value>,
  createTimeoutError: () => RedisError,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createTimeoutError()), limit)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Normalizes the types that a client's settings produce, such as buffers and bigints. */
function normalizeReply(value: unknown): Reply {
  if (value === null || typeof value === "string" || typeof value === "number") return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8")
  if (typeof value === "bigint") return Number(value)
  if (Array.isArray(value)) return value.map(normalizeReply)
  throw new TypeError(`A script answered with ${typeof value}.`)
}

/** Returns a reply as text, or null. */
export function toTextOrNull(reply: Reply | undefined): string | null {
  return reply === null || reply === undefined ? null : String(reply)
}

/** Returns a list reply as texts. */
export function toTexts(reply: Reply): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}
