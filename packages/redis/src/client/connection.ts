import { RedisError } from "../errors.ts"
import type { ScriptCommands } from "./clients.ts"
import { diagnoseError, isUnknownScriptError } from "./diagnose-error.ts"
import type { Script } from "./script.ts"

/** What a script answers. */
export type Reply = string | number | null | readonly Reply[]

/** Redis, as the adapter sees it. */
export interface Connection {
  /**
   * Runs a script.
   * @param keys every key that it touches; all in one slot
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
 * Everything is a script, reading too: clients send single reading commands to replicas if so told, where a session
 * lives on that has been ended.
 *
 * @param timeout how long an answer is waited for, in milliseconds
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

/** Says what is known of a driver's error, and forgets the error: it may hold what was sent. */
function toRedisError(operation: string, error: unknown): RedisError {
  const { code, detail } = diagnoseError(error)
  return new RedisError(code, { operation, detail })
}

/** Drivers wait for a server that is away, some for ever. */
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

/** Brings what the settings of a client make of an answer (buffers, big integers) back to one form. */
function normalizeReply(value: unknown): Reply {
  if (value === null || typeof value === "string" || typeof value === "number") return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8")
  if (typeof value === "bigint") return Number(value)
  if (Array.isArray(value)) return value.map(normalizeReply)
  throw new TypeError(`A script answered with ${typeof value}.`)
}

/** Text out of an answer, or null. */
export function toTextOrNull(reply: Reply | undefined): string | null {
  return reply === null || reply === undefined ? null : String(reply)
}

/** The texts of an answer that is a list. */
export function toTexts(reply: Reply): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}
