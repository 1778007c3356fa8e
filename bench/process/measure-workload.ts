/** Runs a workload for some time, and returns the duration of one run. */
import type { HttpResponse, SendRequest } from "../http.ts"
import { UnexpectedResponseError } from "../workloads/assertions.ts"
import type { CallWorkload, RequestWorkload, Workload } from "../workloads/workload.ts"
import type { Measurement } from "./commands.ts"

/** The maximum number of runs in a batch, whose inputs are kept in memory. */
const maxRuns = 100_000

/**
 * A server returns to the event loop between requests. A library that never awaits would not do so here, and
 * targets of `WeakRef`s could not be collected.
 */
const runsPerTurn = 16
const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const expectedTimes = new WeakMap<Workload, number>()

/** Returns the number of runs that take about the given time, based on previous runs. */
function estimateRuns(workload: Workload, milliseconds: number): number {
  const expectedTime = expectedTimes.get(workload) ?? 5000
  return Math.max(1, Math.min(maxRuns, Math.round((milliseconds * 1000) / expectedTime)))
}

/**
 * Measures a workload in process. The next run begins when the response of the previous one is complete.
 *
 * @throws WrongAnswer
 */
export async function measureWorkload(
  workload: Workload,
  send: SendRequest,
  milliseconds: number,
): Promise<Measurement> {
  const runs = estimateRuns(workload, milliseconds)
  const measurement =
    workload.kind === "sent"
      ? await measureRequests(workload, send, runs)
      : await measureCalls(workload, runs)
  expectedTimes.set(workload, measurement.time)
  return measurement
}

async function measureRequests(
  workload: RequestWorkload,
  send: SendRequest,
  runs: number,
): Promise<Measurement> {
  const requests = await workload.createRequests(runs)
  const stopClock = startClock()
  let firstResponse: HttpResponse | undefined
  let lastResponse: HttpResponse | undefined
  for (const [index, request] of requests.entries()) {
    if (index % runsPerTurn === 0) await waitForNextTurn()
    lastResponse = await send(request)
    if (lastResponse.status !== workload.status)
      throw new UnexpectedResponseError(`status ${workload.status}`, lastResponse)
    firstResponse ??= lastResponse
  }
  const measurement = stopClock(runs)
  for (const response of [firstResponse, lastResponse]) if (response) await workload.check(response)
  return measurement
}

async function measureCalls(workload: CallWorkload, runs: number): Promise<Measurement> {
  const stopClock = startClock()
  let result: string | undefined
  for (let index = 0; index < runs; index++) {
    if (index % runsPerTurn === 0) await waitForNextTurn()
    result = await workload.call(index)
  }
  const measurement = stopClock(runs)
  workload.check(result)
  return measurement
}

function startClock(): (runs: number) => Measurement {
  const cpu = process.cpuUsage()
  const start = performance.now()
  return (runs) => {
    const time = ((performance.now() - start) * 1000) / runs
    const { user, system } = process.cpuUsage(cpu)
    return { time, cpu: (user + system) / runs, runCount: runs }
  }
}
