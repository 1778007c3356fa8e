/** Sends requests to a server for some time, in a process of its own, and reports what came back. */
import autocannon from "autocannon"
import { testUser } from "../test-user.ts"
import { type LoadMeasurement, pagePath } from "./subjects.ts"

/** The requests of one measurement. */
export interface LoadTask {
  readonly port: number
  readonly connections: number
  /** In seconds. */
  readonly duration: number
  readonly cookies: readonly string[]
}

export type LoadReport = Pick<LoadMeasurement, "perSecond" | "p50" | "p99" | "errors">

async function runTask({ port, connections, duration, cookies }: LoadTask): Promise<LoadReport> {
  let opened = 0
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${pagePath}`,
    connections,
    duration,
    // Each connection is a browser of its own.
    setupClient(client) {
      client.setHeaders({ cookie: cookies[opened++ % cookies.length] ?? "" })
    },
    verifyBody: (body) => String(body).includes(testUser.email),
  })
  const { requests, latency, errors, mismatches } = result
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    errors: errors + mismatches,
  }
}

process.once("message", (task: LoadTask) => {
  void runTask(task).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
