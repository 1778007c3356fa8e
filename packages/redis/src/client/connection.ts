import { RedisError } from "../errors.ts"
import type { Commands } from "./clients.ts"
import { diagnose, isUnknownScript } from "./diagnose.ts"
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
export function connectionOf(commands: Commands, timeout: number): Connection {
  async function evaluate(
    script: Script,
    keys: readonly string[],
    values: readonly string[],
  ): Promise<unknown> {
    try {
      return await commands.evalSha(script.sha1, keys, values)
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return commands.eval(script.source, keys, values)
    }
  }
  return {
    async run(operation, script, keys, values = []) {
      const late = (): RedisError => new RedisError("timeout", { operation })
      try {
        return replyOf(await within(timeout, evaluate(script, keys, values), late))
      } catch (error) {
        if (error instanceof RedisError) throw error
        throw withoutValues(operation, error)
      }
    },
  }
}

/** Says what is known of a driver's error, and forgets the error: it may hold what was sent. */
function withoutValues(operation: string, error: unknown): RedisError {
  const { code, detail } = diagnose(error)
  return new RedisError(code, { operation, detail })
}

/** Drivers wait for a server that is away, some for ever. */
function within<Value>(
  limit: number,
  work: Promise<Value>,
  late: () => RedisError,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Brings what the settings of a client make of an answer (buffers, big integers) back to one form. */
function replyOf(value: unknown): Reply {
  if (value === null || typeof value === "string" || typeof value === "number") return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8")
  if (typeof value === "bigint") return Number(value)
  if (Array.isArray(value)) return value.map(replyOf)
  throw new TypeError(`A script answered with ${typeof value}.`)
}

/** Text out of an answer, or null. */
export function textOrNull(reply: Reply | undefined): string | null {
  return reply === null || reply === undefined ? null : String(reply)
}

/** The texts of an answer that is a list. */
export function texts(reply: Reply): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}
