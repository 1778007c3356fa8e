/** Replacing the processes one after the other, as a new release is rolled out. */

import type { Environment } from "../applications/catalogue.ts"
import type { AppProcess } from "./app-process.ts"
import type { Cluster } from "./cluster.ts"

/**
 * Starts processes anew with other variables, each after the proxy gives it no more requests. What is done between two
 * of them finds old and new ones side by side.
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
