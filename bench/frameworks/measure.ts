/**
 * `npm run bench -- frameworks`: builds an application with each framework and library, and measures a page that checks the
 * session, beside the same page without a library.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { encode } from "@latchkey/core/jwt"
import { findFreePort, waitForServer } from "../../scripts/applications/application-server.ts"
import { startProgram, stopProgram } from "../../scripts/applications/command.ts"
import type { HttpResponse } from "../http.ts"
import { createHttpSender } from "../http-client.ts"
import { sessionCookieName } from "../libraries/authjs-compatible.ts"
import type { BenchOptions } from "../options.ts"
import type { Measurement } from "../process/commands.ts"
import { HttpLoad, sendRequests } from "../process/http-load.ts"
import { printLine, showProgress } from "../progress.ts"
import { describeMachine } from "../report/machine.ts"
import { writeResults } from "../report/results.ts"
import { rotate, warmUp } from "../rounds.ts"
import { secret, testUser } from "../test-user.ts"
import { UnexpectedResponseError } from "../workloads/assertions.ts"
import { buildFrameworkApplication, findExample } from "./build.ts"
import {
  type ApplicationId,
  type Framework,
  type FrameworkId,
  type FrameworkRounds,
  frameworkIds,
  frameworks,
} from "./catalogue.ts"

/** Returns a summary. */
export async function measureFrameworks(options: BenchOptions): Promise<string> {
  console.log("Pages of frameworks")
  execFileSync("npm", ["run", "-s", "pack"], { stdio: "inherit" })
  const machine = describeMachine(["@latchkey/core"])
  const versions: Record<string, string> = { ...machine.versions }
  const rounds: Partial<Record<FrameworkId, FrameworkRounds[FrameworkId]>> = {}
  for (const id of frameworkIds) rounds[id] = await measureFramework(id, versions, options)
  const measured = rounds as FrameworkRounds // each id was measured
  if (options.writesResults)
    writeResults("frameworks", { machine: { ...machine, versions }, rounds: measured })
  return `pages of ${frameworkIds.length} frameworks`
}

/** @param versions receives those of the installed packages */
async function measureFramework(
  id: FrameworkId,
  versions: Record<string, string>,
  options: BenchOptions,
): Promise<FrameworkRounds[FrameworkId]> {
  await using servers = new AsyncDisposableStack()
  const { authjsPackage }: Framework = frameworks[id]
  const ids: ApplicationId[] = ["bare", "latchkey", ...(authjsPackage ? ["authjs" as const] : [])]
  const applications: Application[] = []
  for (const applicationId of ids)
    applications.push(await openApplication(id, applicationId, versions, servers))
  // The servers are stopped when this function ends.
  return await measurePages(id, applications, options)
}

interface Application {
  readonly id: ApplicationId
  readonly port: number
  /** The process group of the server. */
  readonly group: number
}

/** Builds and starts an application. @throws Error if it does not build, start, or show the user */
async function openApplication(
  id: FrameworkId,
  applicationId: ApplicationId,
  versions: Record<string, string>,
  servers: AsyncDisposableStack,
): Promise<Application> {
  const port = await findFreePort(0)
  const address = { port, origin: `http://localhost:${port}` }
  showProgress(`  building ${findExample(id).title}, ${applicationId}`)
  const folder = await buildFrameworkApplication(id, applicationId, address)
  const env = { ...findExample(id).runEnv(address), AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }
  const program = startProgram(process.execPath, ["--run", "start"], {
    cwd: folder,
    env: { NODE_ENV: "production", ...env },
  })
  servers.defer(() => stopProgram(program))
  await waitForServer(program, port)
  const { pid: group } = program.process
  if (group === undefined) throw new TypeError("The server has not started")
  try {
    assertPage(await createHttpSender(port)(await createPageRequest()))
  } catch (error) {
    throw new Error(`${String(error)}\n${program.output()}`, { cause: error })
  }
  Object.assign(versions, readVersions(folder, id, applicationId))
  return { id: applicationId, port, group }
}

/** Asserts that a page shows the address of the user. */
function assertPage(response: HttpResponse): void {
  const { status, body } = response
  if (status !== 200 || !body.includes(testUser.email))
    throw new UnexpectedResponseError(`a page with ${testUser.email}`, response)
}

async function createPageRequest() {
  const { id: sub, name, email, image: picture } = testUser
  const token = { sub, name, email, picture }
  const cookie = `${sessionCookieName}=${await encode({ token, secret, salt: sessionCookieName })}`
  return { method: "GET", path: "/page", cookie } as const
}

function readVersions(folder: string, id: FrameworkId, applicationId: ApplicationId) {
  const { authjsPackage = "" }: Framework = frameworks[id]
  const [authjsName = ""] = /^@?[^@]+/.exec(authjsPackage) ?? []
  const names =
    applicationId === "authjs" ? [authjsName, "@auth/core"] : findExample(id).versionedPackages
  const read = (name: string): string =>
    JSON.parse(readFileSync(`${folder}/node_modules/${name}/package.json`, "utf8")).version
  return Object.fromEntries(names.map((name) => [name, read(name)]))
}

async function measurePages(
  framework: FrameworkId,
  applications: readonly Application[],
  { httpWarmUpDuration, rounds, roundDuration }: BenchOptions,
): Promise<FrameworkRounds[FrameworkId]> {
  const request = await createPageRequest()
  const paces = new Map<ApplicationId, number>()
  const measure = async ({ id, port, group }: Application, milliseconds: number) => {
    const runs = Math.max(4, Math.round((milliseconds * 1000) / (paces.get(id) ?? 5000)))
    const cpuBefore = readProcessorTime(group)
    const start = performance.now()
    assertPage(await sendRequests([request], runs, port, 200))
    // The server would close them while other applications are measured.
    HttpLoad.closeConnections()
    const time = ((performance.now() - start) * 1000) / runs
    paces.set(id, time)
    return { time, cpu: (readProcessorTime(group) - cpuBefore) / runs, runCount: runs }
  }
  for (const application of applications)
    await warmUp((milliseconds) => measure(application, milliseconds), httpWarmUpDuration)
  const measured: Partial<Record<ApplicationId, readonly Measurement[]>> = {}
  for (let round = 0; round < rounds; round++) {
    showProgress(`  round ${round + 1} of ${rounds}: ${findExample(framework).title}`)
    for (const application of rotate(applications, round)) {
      // The system counts processor time in hundredths of a second.
      const latest = await measure(application, roundDuration * 4)
      measured[application.id] = [...(measured[application.id] ?? []), latest]
    }
  }
  printLine(`  ${findExample(framework).title}: ${applications.length} pages, answers are right`)
  return measured
}

/** How many units of `/proc/<pid>/stat` there are in a second. */
const ticksPerSecond = 100

/** Returns the processor time of all processes of a group so far, in microseconds. Linux only. */
function readProcessorTime(group: number): number {
  let ticks = 0
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    // The name of the program, in parentheses, may contain spaces.
    const fields =
      readStat(pid)
        ?.replace(/^.*\) /, "")
        .split(" ") ?? []
    const [, , processGroup] = fields
    if (Number(processGroup) === group) ticks += Number(fields[11]) + Number(fields[12])
  }
  return (ticks * 1_000_000) / ticksPerSecond
}

function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined // it has ended
  }
}
