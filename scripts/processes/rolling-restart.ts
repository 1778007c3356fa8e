/** Restarts processes one after the other, as in a rolling deployment. */

import type { Environment } from "../applications/catalogue.ts"
import type { AppProcess } from "./app-process.ts"
import type { Cluster } from "./cluster.ts"

/**
 * Restarts processes with other variables, each after the proxy has stopped sending requests to it. `afterEach` runs
 * while old and new processes run side by side.
 */
export async function restartWithEnv(
  { proxy }: Cluster,
  env: Environment,
  processes: readonly AppProcess[],
  afterEach: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const each of processes) {
    await proxy.excludeProcess(each.port)
    await each.stop()
    await each.start(env)
    await proxy.excludeProcess(undefined)
    await afterEach()
  }
}
