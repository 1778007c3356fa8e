/** Runs operations concurrently in an order that a test chooses, which makes every race repeatable. */
import { AsyncLocalStorage } from "node:async_hooks"
import { setImmediate } from "node:timers/promises"

/** An operation goes on for some steps: from one call that leaves the process to the next. */
export interface Turn {
  readonly operation: number
  readonly steps: number
}

interface Running {
  /** The calls that wait for a turn. */
  readonly waiting: (() => void)[]
  /** How many calls run that are not part of the interleaving. */
  uninterrupted: number
  isDone: boolean
}

const currentOperation = new AsyncLocalStorage<Running>()

/** Waits for a turn of the current operation. Outside of operations, it does not wait. */
export async function waitForTurn(): Promise<void> {
  const operation = currentOperation.getStore()
  if (operation) await new Promise<void>((resolve) => operation.waiting.push(resolve))
}

/** Runs work during which no other operation gets a turn. */
export async function runUninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  const operation = currentOperation.getStore()
  if (operation) operation.uninterrupted += 1
  return work().finally(() => {
    if (operation) operation.uninterrupted -= 1
  })
}

/** How long an operation may work until its next call, in milliseconds: the first one loads modules. */
const maxStepDuration = 20_000

/**
 * Runs operations in the order of the turns, and what is left of them one after the other. Resolves when they have ended,
 * with everything that they have started.
 *
 * @param beforeStep runs before each step
 */
export async function interleave(
  operations: readonly (() => Promise<void>)[],
  turns: readonly Turn[],
  beforeStep: () => void,
): Promise<void> {
  const running = operations.map((): Running => ({ waiting: [], uninterrupted: 0, isDone: false }))
  const results = Promise.all(
    operations.map((run, index) => {
      const operation = running[index] as Running // one for each
      const start = async () => {
        await waitForTurn()
        await run()
      }
      return currentOperation.run(operation, start).finally(() => {
        operation.isDone = true
      })
    }),
  )
  results.catch(() => undefined) // awaited below
  const runSteps = async (operation: Running | undefined, steps: number) => {
    for (let step = 0; operation && step < steps && operation.waiting.length > 0; step++) {
      beforeStep()
      operation.waiting.shift()?.()
      await waitForCall(operation)
    }
  }
  for (const { operation, steps } of turns)
    await runSteps(running[operation % running.length], steps)
  for (const operation of running) await runSteps(operation, Infinity)
  await results
}

/** Waits until an operation has got to its next call, or its end. */
async function waitForCall(operation: Running): Promise<void> {
  const startedAt = performance.now()
  do {
    await setImmediate()
    const { waiting, uninterrupted, isDone } = operation
    if (uninterrupted === 0 && (waiting.length > 0 || isDone)) return
  } while (performance.now() - startedAt < maxStepDuration)
  throw new Error("An operation waits for something that never happens.")
}
