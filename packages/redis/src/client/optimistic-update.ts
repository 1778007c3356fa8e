import type { DatabaseErrorCode } from "@latchkey/adapter-kit"
import { RedisError } from "../errors.ts"
import type { Reply } from "./connection.ts"

/** The reply of a script that succeeded. */
const doneReply = "done"

/** The reply of a script that did nothing because the record changed after it was read. */
export const changedReply = "changed"

const maxAttempts = 1000

const refusalCodes: readonly DatabaseErrorCode[] = ["duplicate", "unknown-user"]

/**
 * Checks that a script succeeded.
 * @throws RedisError with the code that the script returned
 */
export function assertDone(operation: string, reply: Reply): void {
  if (reply === doneReply) return
  const code = refusalCodes.find((each) => each === reply) ?? "failed"
  throw new RedisError(code, { operation })
}

/**
 * Repeats a read and a conditional write until no other client writes in between. Of all concurrent attempts one always
 * succeeds, so that the loop ends.
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
