import { type ChildProcess, type ForkOptions, fork } from "node:child_process"
import { once } from "node:events"

/** Runs a task of `worker.ts` in several processes that start at the same moment. Returns their outcomes. */
export async function runInWorkers(
  address: string,
  task: string,
  count: number,
): Promise<unknown[]> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(address, task)))
  const outcomes = workers.map((worker) => once(worker, "message"))
  for (const worker of workers) worker.send("go")
  return (await Promise.all(outcomes)).map(([outcome]: unknown[]) => outcome)
}

/** Runs a task of `worker.ts` in a process that is expected to be killed. Returns the signal. */
export async function runUntilKilled(address: string, task: string): Promise<unknown> {
  return (await runUntilExit(address, task)).signal
}

/** How long a process may take that is expected to end, in milliseconds. Then it is killed. */
const maxLifetime = 40_000

/** Runs a task of `worker.ts` in a process that is expected to end. Returns how it ended. */
export async function runUntilExit(
  address: string,
  task: string,
): Promise<{ readonly code: unknown; readonly signal: unknown }> {
  const worker = await startWorker(address, task, { timeout: maxLifetime })
  const end = once(worker, "exit")
  worker.send("go")
  const [code, signal] = await end
  return { code, signal }
}

async function startWorker(
  address: string,
  task: string,
  options: ForkOptions = {},
): Promise<ChildProcess> {
  const script = new URL("./worker.ts", import.meta.url)
  const execArgv = ["--conditions=@latchkey/source"]
  const worker = fork(script, [address, task], { execArgv, ...options })
  await once(worker, "message")
  return worker
}
