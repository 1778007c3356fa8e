/**
 * `npm run bench -- frameworks`: builds an application with each framework and library, and measures a page that checks the
 * session, beside the same page without a check.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { encode } from "@latchkey/core/jwt"
import { waitForServer } from "../../scripts/applications/application-server.ts"
import { startProgram, stopProgram } from "../../scripts/applications/command.ts"
import { findFreePort } from "../free-port.ts"
import type { HttpResponse } from "../http.ts"
import { createHttpSender } from "../http-client.ts"
import { sessionCookieName } from "../libraries/authjs-compatible.ts"
import type { BenchOptions } from "../options.ts"
import type { Measurement } from "../process/commands.ts"
import { HttpLoad, sendRequests } from "../process/http-load.ts"
import { printLine, showProgress } from "../progress.ts"
import { describeMachine } from "../report/machine.ts"
import { writeFrameworkResults } from "../report/results.ts"
import { secret, testUser } from "../test-user.ts"
import { UnexpectedResponseError } from "../workloads/assertions.ts"
import { buildFrameworkApplication, findExample } from "./build.ts"
import {
  type FrameworkId,
  type FrameworkLibraryId,
  type FrameworkRounds,
  frameworkIds,
  frameworks,
  type PageId,
} from "./catalogue.ts"

/** Returns a summary. */
export async function measureFrameworks(options: BenchOptions): Promise<string> {
  console.log("Pages of frameworks")
  execFileSync("npm", ["run", "-s", "pack"], { stdio: "inherit" })
  const machine = describeMachine(["@latchkey/core"])
  const versions: Record<string, string> = {}
  const rounds: Partial<Record<FrameworkId, FrameworkRounds[FrameworkId]>> = {}
  for (const id of frameworkIds) {
    const { measured, installed } = await measureFramework(id, options)
    rounds[id] = measured
    Object.assign(versions, installed)
  }
  HttpLoad.closeConnections()
  const results = {
    machine: { ...machine, versions: { ...machine.versions, ...versions } },
    rounds: rounds as FrameworkRounds, // each id was measured
  }
  if (options.writesResults) writeFrameworkResults(results)
  return `pages of ${frameworkIds.length} frameworks`
}

async function measureFramework(id: FrameworkId, options: BenchOptions) {
  await using servers = new AsyncDisposableStack()
  const latchkey = await openServer(id, "latchkey", servers)
  let authjsError: string | undefined
  const authjs = await openServer(id, "authjs", servers).catch((error: unknown) => {
    authjsError = error instanceof Error ? error.message : String(error)
    printLine(`  ${findExample(id).title} with Auth.js: ${authjsError.slice(0, 2000)}`)
    return undefined
  })
  const pages: Page[] = [
    { page: "latchkey", server: latchkey, path: "/page" },
    { page: "bare", server: latchkey, path: "/bare" },
    ...(authjs ? [{ page: "authjs", server: authjs, path: "/page" } as const] : []),
  ]
  const measured = await measurePages(id, pages, options)
  return {
    measured: { pages: measured, authjsError: authjsError && "the application does not run" },
    installed: { ...latchkey.versions, ...authjs?.versions },
  }
}

interface Server {
  readonly port: number
  /** The process group of the server. */
  readonly group: number
  readonly versions: Readonly<Record<string, string>>
}

interface Page {
  readonly page: PageId
  readonly server: Server
  readonly path: string
}

/** Builds and starts an application. @throws Error if it does not build, start, or show the user */
async function openServer(
  id: FrameworkId,
  library: FrameworkLibraryId,
  servers: AsyncDisposableStack,
): Promise<Server> {
  const port = await findFreePort()
  const address = { port, origin: `http://localhost:${port}` }
  showProgress(`  building ${findExample(id).title} with ${library}`)
  const folder = await buildFrameworkApplication(id, library, address)
  const program = startProgram(process.execPath, ["--run", "start"], {
    cwd: folder,
    env: {
      NODE_ENV: "production",
      ...findExample(id).runEnv(address),
      HOST: "localhost",
      AUTH_SECRET: secret,
      AUTH_TRUST_HOST: "true",
    },
  })
  servers.defer(() => stopProgram(program))
  await waitForServer(program, port)
  const { pid: group } = program.process
  if (group === undefined) throw new TypeError("The server has not started")
  const request = { method: "GET", path: "/page", cookie: await createCookie() } as const
  try {
    assertPage(await createHttpSender(port)(request))
  } catch (error) {
    throw new Error(`${String(error)}\n${program.output()}`, { cause: error })
  }
  return { port, group, versions: readVersions(folder, id, library) }
}

/** Asserts that a page shows the address of the user. */
function assertPage(response: HttpResponse): void {
  const { status, body } = response
  if (status !== 200 || !body.includes(testUser.email))
    throw new UnexpectedResponseError(`a page with ${testUser.email}`, response)
}

async function createCookie(): Promise<string> {
  const { id: sub, name, email } = testUser
  const token = { sub, name, email, picture: testUser.image }
  return `${sessionCookieName}=${await encode({ token, secret, salt: sessionCookieName })}`
}

function readVersions(folder: string, id: FrameworkId, library: FrameworkLibraryId) {
  const [authjsName = ""] = /^@?[^@]+/.exec(frameworks[id].authjsPackage) ?? []
  const names = library === "authjs" ? [authjsName] : findExample(id).versionedPackages
  const read = (name: string): string =>
    JSON.parse(readFileSync(`${folder}/node_modules/${name}/package.json`, "utf8")).version
  return Object.fromEntries(names.map((name) => [name, read(name)]))
}

async function measurePages(
  id: FrameworkId,
  pages: readonly Page[],
  { httpWarmUpDuration, rounds, roundDuration }: BenchOptions,
): Promise<Partial<Record<PageId, readonly Measurement[]>>> {
  const cookie = await createCookie()
  const measured: Partial<Record<PageId, readonly Measurement[]>> = {}
  const paces = new Map<PageId, number>()
  const measure = async ({ page, server, path }: Page, milliseconds: number) => {
    const runs = Math.max(4, Math.round((milliseconds * 1000) / (paces.get(page) ?? 5000)))
    const cpuBefore = readProcessorTime(server.group)
    const start = performance.now()
    const request = { method: "GET", path, cookie } as const
    assertPage(await sendRequests([request], runs, server.port, 200))
    const time = ((performance.now() - start) * 1000) / runs
    paces.set(page, time)
    return { time, cpu: (readProcessorTime(server.group) - cpuBefore) / runs, runCount: runs }
  }
  for (const page of pages)
    for (const share of [0.05, 0.5, 1, 1]) await measure(page, httpWarmUpDuration * share)
  for (let round = 0; round < rounds; round++) {
    showProgress(`  round ${round + 1} of ${rounds}: ${findExample(id).title}`)
    for (const page of pages) {
      // The system counts processor time in hundredths of a second.
      const latest = await measure(page, roundDuration * 4)
      measured[page.page] = [...(measured[page.page] ?? []), latest]
    }
  }
  printLine(`  ${findExample(id).title}: ${pages.length} pages, answers are right`)
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
