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
      try {
        return normalizeReply(await withTimeout(timeout, operation, evaluate(script, keys, values)))
      } catch (error) {
        throw toRedisError(operation, error)
      }
    },
  }
}

/** Converts a driver's error, which is not kept as the cause because it may contain what was sent. */
export function toRedisError(operation: string, error: unknown): RedisError {
  if (error instanceof RedisError) return error
  const { code, detail } = diagnoseError(error)
  return new RedisError(code, { operation, detail })
}

/** Limits the time to wait: some drivers wait forever for a server that is down. */
export function withTimeout<Value>(
  limit: number,
  operation: string,
  work: Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RedisError("timeout", { operation })), limit)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Normalizes the types that a client's settings produce, such as buffers and bigints. */
export function normalizeReply(value: unknown): Reply {
  if (value === null || typeof value === "string" || typeof value === "number") return value
  if (ArrayBuffer.isView(value)) return Buffer.from(value as Uint8Array).toString("utf8")
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
