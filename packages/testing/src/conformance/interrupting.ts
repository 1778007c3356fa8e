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
export interface Reading {
  read(): Awaitable<unknown>
  /** @throws AssertionError when it is something else */
  check(result: unknown): void
}

/** No operation needs so many messages. */
const most = 64
/** How long an operation may take to notice that the connection is gone, in milliseconds. */
const patience = 4000

/**
 * Interrupts an operation after each of its messages. Afterwards it is done or not done; what was reported as done is;
 * and when it is not, it can be repeated.
 */
async function interruptedEverywhere(
  context: ConformanceContext,
  prepare: () => Promise<Operation>,
): Promise<void> {
  await atEachMessage(context, prepare, async ({ run, done }, outcome) => {
    const isDone = await recovered(done)
    if (outcome === "fulfilled") assert.ok(isDone, "what was reported as done is done")
    // Who repeats what had been done without being told so may be refused.
    if (isDone) await Promise.allSettled([(async () => run())()])
    else await recovered(run)
    assert.ok(await recovered(done), "when it is repeated, it is done")
  })
}

/** Interrupts a reading after each of its messages. It is right or it rejects: a fault is never "not found". */
export async function readingInterruptedEverywhere(
  context: ConformanceContext,
  prepare: () => Promise<Reading>,
): Promise<void> {
  const checked = async (): Promise<Operation & Reading> => {
    const reading = await prepare()
    return { ...reading, done: () => true, run: async () => reading.check(await reading.read()) }
  }
  await atEachMessage(context, checked, async ({ run }) => {
    await recovered(run)
  })
}

/** Prepares an operation, runs it with the connection breaking at a message, and looks; until none is left to break. */
export async function atEachMessage<Tried extends Pick<Operation, "run" | "done">>(
  context: ConformanceContext,
  prepare: () => Promise<Tried>,
  look: (tried: Tried, outcome: "fulfilled" | "rejected") => Promise<void>,
): Promise<void> {
  for (let at = 0; at < most; at += 1) {
    const tried = await recovered(prepare)
    await recovered(tried.done)
    const interruption = await context.interrupt?.(at)
    assert.ok(interruption, "connect gives a way to interrupt")
    const outcome = await outcomeOf(tried.run)
    const broken = await interruption.end()
    if (broken) await look(tried, outcome)
    else {
      assert.ok(at > 0, "the connection that is interrupted is that of the adapter")
      assert.equal(outcome, "fulfilled", "without an interruption it succeeds")
      return
    }
  }
  assert.fail(`an operation needs less than ${most} messages`)
}

/** How it went. Whoever waits for ever is in neither state. @throws AssertionError when a result was wrong */
async function outcomeOf(run: Operation["run"]): Promise<"fulfilled" | "rejected"> {
  const hint = `whoever waits is told within ${patience} ms that the connection is gone`
  try {
    await within(run, hint)
    return "fulfilled"
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return "rejected"
  }
}

/** Does something when the connection may have to be made anew, which the first to use it may be told. */
export async function recovered<Value>(work: () => Awaitable<Value>): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await within(work, "after an interruption the adapter works again, and gives answers")
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      assert.ok(attempt < 8, `after an interruption the adapter works again: ${String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempt))
    }
  }
}

async function within<Value>(work: () => Awaitable<Value>, hint: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: hint })), patience)
  })
  try {
    return await Promise.race([(async () => work())(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A case about one operation. */
export function interruption(
  subject: string,
  more: Pick<ConformanceCase, "group" | "needs">,
  prepare: (context: ConformanceContext) => Promise<Operation>,
): ConformanceCase {
  return {
    name: `${subject}, interrupted anywhere, is done or not done, and can be repeated`,
    group: more.group,
    needs: ["interrupt", ...(more.needs ?? [])],
    run: (context) => interruptedEverywhere(context, () => prepare(context)),
  }
}
