/** Repeats an operation and breaks the connection one message later each time. */
import assert from "node:assert/strict"
import type { Awaitable } from "@latchkey/core/types"
import type { ConformanceCase, ConformanceContext } from "./context.ts"

/** An operation that is either done or not done. */
export interface Operation {
  run(): Awaitable<unknown>
  /** Whether it is done. @throws AssertionError if it is partly done */
  done(): Awaitable<boolean>
}

/** A read, and the check of its result. */
export interface ReadOperation {
  read(): Awaitable<unknown>
  /** @throws AssertionError if the result is wrong */
  check(result: unknown): void
}

/** No operation needs as many messages. */
const maxMessages = 64
/** How long an operation may take to detect a broken connection, in milliseconds. */
const timeout = 4000

/**
 * Interrupts an operation at each of its messages. Afterwards it must be done or not done. If it succeeded it must be
 * done, and if it is not done it must be repeatable.
 */
async function runOperationInterrupted(
  context: ConformanceContext,
  prepare: () => Promise<Operation>,
): Promise<void> {
  await interruptAtEachMessage(context, prepare, async ({ run, done }, outcome) => {
    const isDone = await retryUntilRecovered(done)
    if (outcome === "fulfilled") assert.ok(isDone, "a successful operation is done")
    // The operation was done although it failed, so that a repetition may be refused.
    if (isDone) await Promise.allSettled([(async () => run())()])
    else await retryUntilRecovered(run)
    assert.ok(await retryUntilRecovered(done), "a repeated operation is done")
  })
}

/**
 * Interrupts a read at each of its messages. It must return the right result or reject, and never return "not found".
 */
export async function runReadInterrupted(
  context: ConformanceContext,
  prepare: () => Promise<ReadOperation>,
): Promise<void> {
  const prepareOperation = async (): Promise<Operation & ReadOperation> => {
    const readOperation = await prepare()
    return {
      ...readOperation,
      done: () => true,
      run: async () => readOperation.check(await readOperation.read()),
    }
  }
  await interruptAtEachMessage(context, prepareOperation, async ({ run }) => {
    await retryUntilRecovered(run)
  })
}

/** Prepares, runs and checks an operation, and breaks the connection at each of its messages in turn. */
export async function interruptAtEachMessage<Tried extends Pick<Operation, "run" | "done">>(
  context: ConformanceContext,
  prepare: () => Promise<Tried>,
  check: (operation: Tried, outcome: "fulfilled" | "rejected") => Promise<void>,
): Promise<void> {
  for (let at = 0; at < maxMessages; at += 1) {
    const operation = await retryUntilRecovered(prepare)
    await retryUntilRecovered(operation.done)
    const interruption = await context.interrupt?.(at)
    assert.ok(interruption, "the context has `interrupt`")
    const outcome = await runToOutcome(operation.run)
    const wasInterrupted = await interruption.end()
    if (wasInterrupted) await check(operation, outcome)
    else {
      assert.ok(at > 0, "`interrupt` breaks a connection of the adapter")
      assert.equal(outcome, "fulfilled", "without an interruption the operation succeeds")
      return
    }
  }
  assert.fail(`an operation needs fewer than ${maxMessages} messages`)
}

/**
 * Returns how the operation ended. One that never ends is in neither state. @throws AssertionError if a result was
 * wrong
 */
async function runToOutcome(run: Operation["run"]): Promise<"fulfilled" | "rejected"> {
  const hint = `operations reject within ${timeout} ms after the connection broke`
  try {
    await withTimeout(run, hint)
    return "fulfilled"
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return "rejected"
  }
}

/** Retries work until the adapter has reconnected. The first attempt may fail because of the broken connection. */
export async function retryUntilRecovered<Value>(work: () => Awaitable<Value>): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withTimeout(work, "after an interruption the adapter responds again")
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      assert.ok(attempt < 8, `after an interruption the adapter works again: ${String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempt))
    }
  }
}

async function withTimeout<Value>(work: () => Awaitable<Value>, hint: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: hint })), timeout)
  })
  try {
    return await Promise.race([(async () => work())(), timeoutPromise])
  } finally {
    clearTimeout(timer)
  }
}

/** Creates a case for one operation. */
export function createInterruptionCase(
  method: string,
  options: Pick<ConformanceCase, "group" | "needs">,
  prepare: (context: ConformanceContext) => Promise<Operation>,
): ConformanceCase {
  return {
    name: `${method}, interrupted, is done or not done, and can be repeated`,
    group: options.group,
    needs: ["interrupt", ...(options.needs ?? [])],
    run: (context) => runOperationInterrupted(context, () => prepare(context)),
  }
}
