import { RedisError, type RedisErrorCode } from "../errors.ts"
import type { Reply } from "./connection.ts"

/** What a script answers when it has done what it is for. */
const doneReply = "done"

/** What a script answers when the record is not what it was when it was read. Nothing was done. */
export const changedReply = "changed"

const maxAttempts = 1000

const refusalCodes: readonly RedisErrorCode[] = ["duplicate", "missing-record", "unknown-user"]

/**
 * Makes sure that a script has done what it is for.
 * @throws RedisError with the name of the refusal that it answered
 */
export function assertDone(operation: string, reply: Reply): void {
  if (reply === doneReply) return
  const code = refusalCodes.find((each) => each === reply) ?? "failed"
  throw new RedisError(code, { operation })
}

/**
 * Reads, then writes if nobody else wrote in between; else from the start. One of all that try at once always gets
 * through, so that it comes to an end.
 */
export async function retryWhileChanged<Value>(
  operation: string,
  attempt: () => Promise<Value | typeof changedReply>,
): Promise<Value> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt()
    if (result !== changedReply) return result
  }
  throw new RedisError("busy", { operation })
}
