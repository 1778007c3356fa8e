/** Runs rounds in which every library runs the same workload, one directly after the other. */
import type { SubjectId } from "./libraries/library-names.ts"
import type { BenchOptions } from "./options.ts"
import type { LibraryFacts, Measurement, Transport } from "./process/commands.ts"
import { HttpLoad } from "./process/http-load.ts"
import { SubjectProcess } from "./process/subject-process.ts"
import { printLine, showProgress } from "./progress.ts"
import { sampledWorkloads, type WorkloadId, workloadTitles } from "./workloads/workload.ts"

/** Measurements by workload and library, one for each round. */
export type Rounds = Partial<Record<WorkloadId, MeasurementsByLibrary>>
type MeasurementsByLibrary = Partial<Record<SubjectId, readonly Measurement[]>>

/** The results of the subjects with one transport. */
export interface BenchResult {
  readonly rounds: Rounds
  readonly facts: Readonly<Partial<Record<SubjectId, LibraryFacts>>>
}

type MeasureWorkload = (
  subject: SubjectProcess,
  workload: WorkloadId,
  milliseconds: number,
) => Promise<Measurement>

/**
 * Measures libraries, each in a process of its own for each work, or for several if the options say so: V8 compiles code for
 * the requests that it has seen.
 *
 * @param selected the workloads to measure; all by default
 * @throws TypeError if a response is wrong
 */
export async function measureLibraries(
  ids: readonly SubjectId[],
  transport: Transport,
  options: BenchOptions,
  selected: readonly WorkloadId[] = Object.keys(workloadTitles) as WorkloadId[],
): Promise<BenchResult> {
  const { supported, facts } = await proveLibraries(ids, transport)
  const rounds: Rounds = {}
  for (let start = 0; start < selected.length; start += options.worksPerProcess) {
    const works = selected.slice(start, start + options.worksPerProcess)
    const plan = new Map(
      [...supported].map(([id, all]) => [id, works.filter((work) => all.includes(work))]),
    )
    Object.assign(rounds, await measureWorks(plan, transport, options))
  }
  return { rounds, facts }
}

/** Runs each workload once, and finds out what each library does. */
async function proveLibraries(ids: readonly SubjectId[], transport: Transport) {
  const supported = new Map<SubjectId, readonly WorkloadId[]>()
  const facts: Partial<Record<SubjectId, LibraryFacts>> = {}
  for (const id of ids) {
    await using subject = await SubjectProcess.start(id, transport, 1)
    const works = await subject.sendCommand("prove", {})
    supported.set(id, works)
    const libraryFacts = await subject.sendCommand("facts", {})
    if (libraryFacts) facts[id] = libraryFacts
    printLine(`  ${id}: ${works.length} kinds of work, answers are right`)
  }
  return { supported, facts }
}

/** Starts the libraries, warms them up, and runs the rounds. */
async function measureWorks(
  plan: ReadonlyMap<SubjectId, readonly WorkloadId[]>,
  transport: Transport,
  options: BenchOptions,
): Promise<Rounds> {
  await using subjectStack = new AsyncDisposableStack()
  const workloads = new Map<SubjectProcess, readonly WorkloadId[]>()
  const measure = createMeasure(transport)
  const { sampleCount, warmUpDuration, httpWarmUpDuration } = options
  const duration = transport === "http" ? httpWarmUpDuration : warmUpDuration
  for (const [id, works] of plan) {
    if (works.length === 0) continue
    const count = works.some((work) => sampledWorkloads.includes(work)) ? sampleCount : 1
    const subject = subjectStack.use(await SubjectProcess.start(id, transport, count))
    workloads.set(subject, works)
    for (const work of works) {
      showProgress(`  ${id}: warming up ${workloadTitles[work]}`)
      await warmUp((milliseconds) => measure(subject, work, milliseconds), duration)
    }
  }
  return workloads.size > 0 ? await measureRounds(workloads, measure, options) : {}
}

function createMeasure(transport: Transport): MeasureWorkload {
  if (transport === "process") {
    return (subject, workload, milliseconds) =>
      subject.sendCommand("measure", { work: workload, milliseconds })
  }
  const load = new HttpLoad()
  return (subject, workload, milliseconds) => load.measure(subject, workload, milliseconds)
}

/** A warm-up ends at the latest after this many times the shortest one. */
const maxWarmUpFactor = 8
/** The figures stand still once this many steps in a row were not faster than the fastest one. */
const steadyStepCount = 5
/** A step is faster if it takes less than this share of the fastest one; smaller differences are noise. */
const fasterShare = 0.97

/**
 * Measures until the figures stand still. In steps, because the number of runs in a given time is not known yet, and because
 * a slow or busy machine needs more time to compile the same code.
 *
 * @param measure measures for a number of milliseconds
 * @param duration of the shortest warm-up, in milliseconds
 */
export async function warmUp(
  measure: (milliseconds: number) => Promise<Measurement>,
  duration: number,
): Promise<void> {
  const step = duration / 5
  await measure(step / 4)
  let fastest = Number.POSITIVE_INFINITY
  let steadySteps = 0
  for (let spent = step; spent <= duration * maxWarmUpFactor; spent += step) {
    const { cpu } = await measure(step)
    if (cpu < fastest * fasterShare) {
      fastest = cpu
      steadySteps = 0
    } else steadySteps += 1
    if (spent >= duration && steadySteps >= steadyStepCount) return
  }
}

async function measureRounds(
  workloads: ReadonlyMap<SubjectProcess, readonly WorkloadId[]>,
  measure: MeasureWorkload,
  { rounds, roundDuration }: BenchOptions,
): Promise<Rounds> {
  const measured: Rounds = {}
  for (let round = 0; round < rounds; round++) {
    // The first library has the processor's caches to itself, so each one starts in turn.
    const order = rotate([...workloads.keys()], round)
    for (const workload of Object.keys(workloadTitles) as WorkloadId[]) {
      for (const subject of order) {
        if (!workloads.get(subject)?.includes(workload)) continue
        const byLibrary = measured[workload] ?? {}
        const earlier = byLibrary[subject.id] ?? []
        showProgress(
          `  round ${round + 1} of ${rounds}: ${workloadTitles[workload]}, ${subject.id}`,
        )
        const latest = await measure(subject, workload, roundDuration)
        measured[workload] = { ...byLibrary, [subject.id]: [...earlier, latest] }
      }
    }
  }
  printLine(`  ${rounds} rounds of ${Object.keys(measured).join(", ")}`)
  return measured
}

/** Returns a list rotated by a number of elements. */
export function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const offset = by % list.length
  return [...list.slice(offset), ...list.slice(0, offset)]
}
