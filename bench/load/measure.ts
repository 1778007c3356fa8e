/** `npm run bench -- load`: keeps servers busy with many connections, and writes docs/scaling.md. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { findFreePort } from "../../scripts/applications/application-server.ts"
import type { BenchOptions } from "../options.ts"
import { printLine, showProgress } from "../progress.ts"
import { RedisServer } from "../redis-server.ts"
import { describeMachine } from "../report/machine.ts"
import { writeResults } from "../report/results.ts"
import { rotate } from "../rounds.ts"
import { TemporaryDatabase } from "../temporary-database.ts"
import { openApplication } from "./applications.ts"
import type { LoadReport, LoadTask } from "./client.ts"
import {
  connectionCounts,
  type LoadMeasurement,
  type LoadStores,
  type LoadSubjectId,
  loadSubjectIds,
  loadSubjects,
  processCounts,
  storesVariable,
} from "./subjects.ts"

/** The number of sessions: each connection has its own. */
const sessionCount = Math.max(...connectionCounts)

const packages = ["@latchkey/core", "@latchkey/express", "@latchkey/sql", "@latchkey/redis"]
const otherPackages = [
  "express",
  "express-session",
  "connect-pg-simple",
  "connect-redis",
  "passport",
]

/** Returns a summary. */
export async function measureLoad(options: BenchOptions): Promise<string> {
  console.log("Under load")
  const machine = describeMachine([...packages, ...otherPackages, "pg", "redis", "autocannon"])
  await using database = await TemporaryDatabase.create()
  await using redis = await RedisServer.start()
  const stores = { postgresUrl: database.url, redisUrl: redis.url }
  const cookies = new Map<LoadSubjectId, readonly string[]>()
  for (const id of loadSubjectIds) cookies.set(id, await prepareSubject(id, stores))
  const measurements: LoadMeasurement[] = []
  for (let round = 0; round < options.loadRounds; round++) {
    for (const processes of processCounts)
      for (const subject of rotate(loadSubjectIds, round)) {
        showProgress(
          `  round ${round + 1} of ${options.loadRounds}: ${describe(subject)}, ${processes}`,
        )
        const measured = { subject, processes, cookies: cookies.get(subject) ?? [] }
        measurements.push(...(await measureSubject(measured, stores, options)))
      }
    printLine(`  round ${round + 1} of ${options.loadRounds}`)
  }
  if (options.writesResults) writeResults("load", { machine, measurements })
  return `${measurements.length} measurements under load`
}

const describe = (id: LoadSubjectId): string =>
  `${loadSubjects[id].title}, ${loadSubjects[id].store}`

async function prepareSubject(id: LoadSubjectId, stores: LoadStores): Promise<readonly string[]> {
  const application = await openApplication[id](stores)
  const cookies = await application.prepare(sessionCount)
  await application.close()
  return cookies
}

interface MeasuredSubject {
  readonly subject: LoadSubjectId
  readonly processes: number
  readonly cookies: readonly string[]
}

/** Starts the server, and measures it with each number of connections after a warm-up. */
async function measureSubject(
  { subject, processes, cookies }: MeasuredSubject,
  stores: LoadStores,
  { loadDuration }: BenchOptions,
): Promise<readonly LoadMeasurement[]> {
  const port = await findFreePort(0)
  const args = [subject, String(port), String(processes)]
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" }
  const server = fork(new URL("server.ts", import.meta.url), args, {
    env: { ...env, [storesVariable]: JSON.stringify(stores) },
  })
  const ended = once(server, "exit")
  const pids = await receiveMessage<readonly number[]>(server)
  const measurements: LoadMeasurement[] = []
  await sendLoad({ port, connections: 64, duration: loadDuration, cookies })
  for (const connections of connectionCounts) {
    const report = await sendLoad({ port, connections, duration: loadDuration, cookies })
    const memory = pids.map(readMemory).reduce((sum, each) => sum + each, 0)
    measurements.push({ subject, processes, connections, ...report, memory })
  }
  server.disconnect()
  await ended
  return measurements
}

async function sendLoad(task: LoadTask): Promise<LoadReport> {
  const client = fork(new URL("client.ts", import.meta.url))
  client.send(task)
  return receiveMessage<LoadReport>(client)
}

/** Returns the first message of a process. @throws TypeError if it ends before */
function receiveMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Message)) // the program sends one
    child.once("exit", (code) => reject(new TypeError(`A process under load ended (${code})`)))
  })
}

/** Returns the resident memory of a process, in bytes. Linux only. */
function readMemory(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) * 1024
}
