/** Changes of the ways in and factors of a user, one at a time: two requests together must not remove the last two. */
import { hasLeases } from "../config/adapter-methods.ts"
import type { StoreServices } from "../config/core-services.ts"
import { sha256Hex } from "../crypto/digest.ts"
import { type AssertLeaseHeld, runOneAtATime } from "../provider-tokens/locked-task.ts"

/**
 * Runs a change while no other process changes the same user, if the adapter has leases.
 *
 * @param run receives a function to call before it changes anything
 */
export async function runOneForUser<Result>(
  { config, store }: StoreServices,
  userId: string,
  run: (assertHeld: AssertLeaseHeld) => Promise<Result>,
): Promise<Result> {
  if (!hasLeases(config.adapter)) return run(() => {})
  return runOneAtATime(store, `unlink ${await sha256Hex(String(userId))}`, run)
}
