import { type ChildProcess, fork } from "node:child_process"
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
  const worker = await startWorker(address, task)
  const end = once(worker, "exit")
  worker.send("go")
  const [, signal] = await end
  return signal
}

async function startWorker(address: string, task: string): Promise<ChildProcess> {
  const script = new URL("./worker.ts", import.meta.url)
  const worker = fork(script, [address, task], { execArgv: ["--conditions=@latchkey/source"] })
  await once(worker, "message")
  return worker
}
