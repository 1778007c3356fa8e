/** Tries an operation again and again, with the connection breaking a message later each time. */
import assert from "node:assert/strict"
import type { Awaitable } from "@latchkey/core/types"
import type { ConformanceCase, ConformanceContext } from "./context.ts"

/** Something that is either done or not done. */
export interface Operation {
  run(): Awaitable<unknown>
  /** Whether it is done. @throws AssertionError when half of it is */
  done(): Awaitable<boolean>
}

/** Something that is read, and what has to come of it. */
export interface ReadOperation {
  read(): Awaitable<unknown>
  /** @throws AssertionError when it is something else */
  check(result: unknown): void
}

/** No operation needs so many messages. */
const maxMessages = 64
/** How long an operation may take to notice that the connection is gone, in milliseconds. */
const timeout = 4000

/**
 * Interrupts an operation after each of its messages. Afterwards it is done or not done; what was reported as done is;
 * and when it is not, it can be repeated.
 */
async function runOperationInterrupted(
  context: ConformanceContext,
  prepare: () => Promise<Operation>,
): Promise<void> {
  await interruptAtEachMessage(context, prepare, async ({ run, done }, outcome) => {
    const isDone = await retryUntilRecovered(done)
    if (outcome === "fulfilled") assert.ok(isDone, "what was reported as done is done")
    // Who repeats what had been done without being told so may be refused.
    if (isDone) await Promise.allSettled([(async () => run())()])
    else await retryUntilRecovered(run)
    assert.ok(await retryUntilRecovered(done), "when it is repeated, it is done")
  })
}

/** Interrupts a reading after each of its messages. It is right or it rejects: a fault is never "not found". */
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

/** Prepares an operation, runs it with the connection breaking at a message, and looks; until none is left to break. */
export async function interruptAtEachMessage<Tried extends Pick<Operation, "run" | "done">>(
  context: ConformanceContext,
  prepare: () => Promise<Tried>,
  check: (operation: Tried, outcome: "fulfilled" | "rejected") => Promise<void>,
): Promise<void> {
  for (let at = 0; at < maxMessages; at += 1) {
    const operation = await retryUntilRecovered(prepare)
    await retryUntilRecovered(operation.done)
    const interruption = await context.interrupt?.(at)
    assert.ok(interruption, "connect gives a way to interrupt")
    const outcome = await runToOutcome(operation.run)
    const wasInterrupted = await interruption.end()
    if (wasInterrupted) await check(operation, outcome)
    else {
      assert.ok(at > 0, "the connection that is interrupted is that of the adapter")
      assert.equal(outcome, "fulfilled", "without an interruption it succeeds")
      return
    }
  }
  assert.fail(`an operation needs less than ${maxMessages} messages`)
}

/** How it went. Whoever waits for ever is in neither state. @throws AssertionError when a result was wrong */
async function runToOutcome(run: Operation["run"]): Promise<"fulfilled" | "rejected"> {
  const hint = `whoever waits is told within ${timeout} ms that the connection is gone`
  try {
    await withTimeout(run, hint)
    return "fulfilled"
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return "rejected"
  }
}

/** Does something when the connection may have to be made anew, which the first to use it may be told. */
export async function retryUntilRecovered<Value>(work: () => Awaitable<Value>): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withTimeout(
        work,
        "after an interruption the adapter works again, and gives answers",
      )
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

/** A case about one operation. */
export function createInterruptionCase(
  method: string,
  options: Pick<ConformanceCase, "group" | "needs">,
  prepare: (context: ConformanceContext) => Promise<Operation>,
): ConformanceCase {
  return {
    name: `${method}, interrupted anywhere, is done or not done, and can be repeated`,
    group: options.group,
    needs: ["interrupt", ...(options.needs ?? [])],
    run: (context) => runOperationInterrupted(context, () => prepare(context)),
  }
}
