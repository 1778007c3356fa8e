/** Runs one scenario with one library, and prints the measurement. Bundled into the program of each fresh process. */
import type { ColdMeasurement } from "./cold-measurement.ts"

/** A request that a fresh process answers. */
interface ColdRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The argument of the program. */
export interface ColdTask {
  /** Without one, the library is only imported. */
  readonly request?: ColdRequest
}

/** The output of the program. */
export interface ColdReport {
  readonly measurement: ColdMeasurement
  /** The answer to the request, to be checked. */
  readonly answer?: {
    readonly status: number
    readonly body: string
    readonly location: string | undefined
    readonly setCookies: readonly string[]
  }
}

/** The library under test, in the way an application uses it. */
export interface ColdSubject {
  importLibrary(): Promise<unknown>
  /** Imports everything that an application needs, and configures it with two OAuth providers and passwords. */
  createHandler(): Promise<(request: Request) => Promise<Response>>
}

/** The time and the processor time at the start of the program, which the launcher sets. */
interface ProgramStart {
  readonly time: number
  readonly cpu: NodeJS.CpuUsage
}

/** Called by each program. */
export async function runSubject({ importLibrary, createHandler }: ColdSubject): Promise<void> {
  const { request }: ColdTask = JSON.parse(process.argv[3] ?? "")
  const { programStart } = globalThis as unknown as { readonly programStart: ProgramStart }
  const answer = request && (await answerRequest(await createHandler(), request))
  if (!request) await importLibrary()
  const elapsed = performance.now() - programStart.time
  const { user, system } = process.cpuUsage(programStart.cpu)
  const { rss, heapUsed } = process.memoryUsage()
  const measurement = { elapsed, cpu: (user + system) / 1000, memory: rss, heap: heapUsed }
  const report: ColdReport = { measurement, ...(answer ? { answer } : {}) }
  process.stdout.write(JSON.stringify(report), () => process.exit())
}

async function answerRequest(
  handle: (request: Request) => Promise<Response>,
  { url, ...init }: ColdRequest,
): Promise<ColdReport["answer"]> {
  const response = await handle(new Request(url, init))
  return {
    status: response.status,
    body: await response.text(),
    location: response.headers.get("location") ?? undefined,
    setCookies: response.headers.getSetCookie(),
  }
}
