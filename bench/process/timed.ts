/** Does work for some time, and says how long one run takes. */
import type { Reply, Send } from "../exchange.ts"
import { WrongAnswer } from "../tasks/checks.ts"
import type { CalledWork, SentWork, Work } from "../tasks/work.ts"
import type { Measurement } from "./commands.ts"

/** Most runs at once: what they need is kept in memory. */
const mostRuns = 100_000

/**
 * A server comes back to the event loop between requests. A library that never waits would not do so here, and nothing
 * that a `WeakRef` was made of could be collected.
 */
const runsInATurn = 16
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const paces = new WeakMap<Work, number>()

/** How many runs last about so long, going by those before. */
function runsFor(work: Work, milliseconds: number): number {
  const pace = paces.get(work) ?? 5000
  return Math.max(1, Math.min(mostRuns, Math.round((milliseconds * 1000) / pace)))
}

/**
 * Measures some work in process. Runs follow each other: the next one begins when the answer is there.
 *
 * @throws WrongAnswer
 */
export async function timed(work: Work, send: Send, milliseconds: number): Promise<Measurement> {
  const runs = runsFor(work, milliseconds)
  const measurement =
    work.kind === "sent" ? await timedSent(work, send, runs) : await timedCalls(work, runs)
  paces.set(work, measurement.time)
  return measurement
}

async function timedSent(work: SentWork, send: Send, runs: number): Promise<Measurement> {
  const asks = await work.asks(runs)
  const clock = startClock()
  let first: Reply | undefined
  let last: Reply | undefined
  for (const [at, ask] of asks.entries()) {
    if (at % runsInATurn === 0) await nextTurn()
    last = await send(ask)
    if (last.status !== work.status) throw new WrongAnswer(`status ${work.status}`, last)
    first ??= last
  }
  const measurement = clock(runs)
  for (const reply of [first, last]) if (reply) await work.check(reply)
  return measurement
}

async function timedCalls(work: CalledWork, runs: number): Promise<Measurement> {
  const clock = startClock()
  let answer: string | undefined
  for (let at = 0; at < runs; at++) {
    if (at % runsInATurn === 0) await nextTurn()
    answer = await work.call(at)
  }
  const measurement = clock(runs)
  work.check(answer)
  return measurement
}

function startClock(): (runs: number) => Measurement {
  const cpu = process.cpuUsage()
  const start = performance.now()
  return (runs) => {
    const time = ((performance.now() - start) * 1000) / runs
    const { user, system } = process.cpuUsage(cpu)
    return { time, cpu: (user + system) / runs, runs }
  }
}
