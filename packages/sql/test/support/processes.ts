import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"

/** Runs a task of `racer.ts` in several processes that start at the same moment; gives their outcomes. */
export async function race(address: string, task: string, count: number): Promise<unknown[]> {
  const racers = await Promise.all(Array.from({ length: count }, () => start(address, task)))
  const outcomes = racers.map((racer) => once(racer, "message"))
  for (const racer of racers) racer.send("go")
  return (await Promise.all(outcomes)).map(([outcome]: unknown[]) => outcome)
}

/** Runs a task of `racer.ts` in a process that is expected to be killed; gives the signal. */
export async function die(address: string, task: string): Promise<unknown> {
  const racer = await start(address, task)
  const end = once(racer, "exit")
  racer.send("go")
  const [, signal] = await end
  return signal
}

async function start(address: string, task: string): Promise<ChildProcess> {
  const script = new URL("./racer.ts", import.meta.url)
  const racer = fork(script, [address, task], { execArgv: ["--conditions=@latchkey/source"] })
  await once(racer, "message")
  return racer
}
