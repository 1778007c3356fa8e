/** Sends requests to a server for some time, in a process of its own, and reports what came back. */
import autocannon from "autocannon"
import { testUser } from "../test-user.ts"
import { type LoadMeasurement, pagePath } from "./subjects.ts"

/** What to send. */
export interface LoadTask {
  readonly port: number
  readonly connections: number
  /** In seconds. */
  readonly duration: number
  readonly cookies: readonly string[]
}

export type LoadReport = Pick<LoadMeasurement, "perSecond" | "p50" | "p99" | "errors">

async function runTask({ port, connections, duration, cookies }: LoadTask): Promise<LoadReport> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration,
    requests: cookies.map((cookie) => ({ path: pagePath, headers: { cookie } })),
    verifyBody: (body) => String(body).includes(testUser.email),
  })
  const { requests, latency, errors, non2xx, mismatches } = result
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    errors: errors + non2xx + mismatches,
  }
}

process.once("message", (task: LoadTask) => {
  void runTask(task).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
