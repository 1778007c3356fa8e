/** Restarts processes one after the other, as in a rolling deployment. */

import type { Environment } from "../applications/catalogue.ts"
import type { AppProcess } from "./app-process.ts"
import type { Cluster } from "./cluster.ts"

/** Restarts processes with other variables. */
export function restartWithEnv(
  cluster: Cluster,
  env: Environment,
  processes: readonly AppProcess[],
  afterEach?: () => Promise<void>,
): Promise<void> {
  return restart(cluster, processes, (each) => each.start(env), afterEach)
}

/** Replaces all processes by those of another build of the application. */
export function replaceBuild(
  cluster: Cluster,
  folder: string,
  afterEach: () => Promise<void>,
): Promise<void> {
  return restart(cluster, cluster.processes, (each) => each.start({}, folder), afterEach)
}

/**
 * Restarts processes, each after the proxy has stopped sending requests to it. `afterEach` runs while old and new processes
 * run side by side.
 */
async function restart(
  { proxy }: Cluster,
  processes: readonly AppProcess[],
  start: (process: AppProcess) => Promise<void>,
  afterEach: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const each of processes) {
    await proxy.excludeProcess(each.port)
    await each.stop()
    await start(each)
    await proxy.excludeProcess(undefined)
    await afterEach()
  }
}
