/** Sends requests over HTTP to a subject, several at a time on persistent connections. */
import { Agent } from "node:http"
import type { HttpRequest, HttpResponse } from "../http.ts"
import { createHttpSender } from "../http-client.ts"
import { UnexpectedResponseError } from "../workloads/assertions.ts"
import type { WorkloadId } from "../workloads/workload.ts"
import type { Measurement } from "./commands.ts"
import type { SubjectProcess } from "./subject-process.ts"

/** The number of connections: enough to keep the server busy. */
const connectionCount = 4
const agent = new Agent({ keepAlive: true, maxSockets: connectionCount })
/** The maximum number of requests in a batch, for requests that must be prepared one by one. */
const maxRequests = 20_000

/** Measures the processor time of the server for each response, and the elapsed time of a batch. */
export class HttpLoad {
  readonly #paces = new Map<string, number>()

  /** @throws WrongAnswer */
  async measure(
    subject: SubjectProcess,
    workload: WorkloadId,
    milliseconds: number,
  ): Promise<Measurement> {
    const expectedTime = this.#paces.get(`${subject.id} ${workload}`) ?? 5000
    const targetRuns = Math.round((milliseconds * 1000) / expectedTime)
    const runs = Math.max(connectionCount, Math.min(maxRequests, targetRuns))
    const {
      asks: requests,
      port,
      status,
    } = await subject.sendCommand("asks", { work: workload, count: runs })
    const before = await subject.sendCommand("cpu", {})
    const start = performance.now()
    const response = await sendRequests(requests, runs, port, status)
    const time = ((performance.now() - start) * 1000) / runs
    const cpu = ((await subject.sendCommand("cpu", {})) - before) / runs
    this.#paces.set(`${subject.id} ${workload}`, time)
    await subject.sendCommand("check", { work: workload, reply: response })
    return { time, cpu, runCount: runs }
  }

  /** Closes the connections. */
  static closeConnections(): void {
    agent.destroy()
  }
}

/**
 * Sends requests by turns, several at a time, and returns the last response.
 *
 * @throws UnexpectedResponseError for another status
 */
export async function sendRequests(
  requests: readonly HttpRequest[],
  runs: number,
  port: number,
  status: number,
): Promise<HttpResponse> {
  const send = createHttpSender(port, agent)
  let sentCount = 0
  let lastResponse: HttpResponse | undefined
  const browser = async (): Promise<void> => {
    while (sentCount < runs) {
      const request = requests[sentCount++ % requests.length]
      if (!request) throw new TypeError("There is nothing to ask")
      lastResponse = await send(request)
      if (lastResponse.status !== status)
        throw new UnexpectedResponseError(`status ${status}`, lastResponse)
    }
  }
  const allowSleep = keepAwake()
  try {
    await Promise.all(Array.from({ length: connectionCount }, browser))
  } finally {
    allowSleep()
  }
  if (!lastResponse) throw new TypeError("Nothing was sent")
  return lastResponse
}

/**
 * Keeps this process from sleeping while it waits for responses: on one machine, the system counts the waking of the
 * receiver as work of the server that writes. Across a network, there is nothing to wake.
 *
 * @returns a function that ends it
 */
function keepAwake(): () => void {
  let isAwake = true
  const turn = (): void => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}
