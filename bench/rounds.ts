/** Rounds in which every library does the same work, one right after the other. */
import type { LibraryId } from "./libraries/libraries.ts"
import type { BenchOptions } from "./options.ts"
import { Child } from "./process/child.ts"
import type { Facts, Measurement, Place } from "./process/commands.ts"
import { Load } from "./process/load.ts"
import { type WorkId, workNames } from "./tasks/work.ts"

/** Measurements by work and library, one for each round. */
export type Rounds = Partial<Record<WorkId, ByLibrary>>
type ByLibrary = Partial<Record<LibraryId, readonly Measurement[]>>

/** What came of the subjects in one place. */
export interface Measured {
  readonly rounds: Rounds
  readonly facts: Readonly<Partial<Record<LibraryId, Facts>>>
}

type Measure = (child: Child, work: WorkId, milliseconds: number) => Promise<Measurement>

/**
 * Starts the libraries, a process each, warms them up and lets them take turns.
 *
 * @throws TypeError when an answer is wrong
 */
export async function measureAll(
  ids: readonly LibraryId[],
  place: Place,
  options: BenchOptions,
): Promise<Measured> {
  await using started = new AsyncDisposableStack()
  const children: Child[] = []
  for (const id of ids) {
    children.push(started.use(await Child.start(id, place, options.many)))
  }
  const measure = measureIn(place)
  const works = new Map<Child, readonly WorkId[]>()
  const facts: Partial<Record<LibraryId, Facts>> = {}
  for (const child of children) {
    works.set(child, await child.ask("prove", {}))
    facts[child.id] = await child.ask("facts", {})
    for (const work of works.get(child) ?? []) await warm(child, work, measure, options.warmUp)
    console.log(`  ${child.id}: ${works.get(child)?.length} kinds of work, answers are right`)
  }
  const rounds = await takeTurns(works, measure, options)
  return { rounds, facts }
}

function measureIn(place: Place): Measure {
  if (place === "process") {
    return (child, work, milliseconds) => child.ask("measure", { work, milliseconds })
  }
  const load = new Load()
  return (child, work, milliseconds) => load.measure(child, work, milliseconds)
}

/** In steps, since nobody knows yet how much can be done in a given time. */
async function warm(child: Child, work: WorkId, measure: Measure, all: number): Promise<void> {
  for (const share of [0.05, 0.25, 0.7]) await measure(child, work, all * share)
}

async function takeTurns(
  works: ReadonlyMap<Child, readonly WorkId[]>,
  measure: Measure,
  { rounds, slice }: BenchOptions,
): Promise<Rounds> {
  const measured: Rounds = {}
  for (let round = 0; round < rounds; round++) {
    // Whoever begins has the processor's caches to itself: each one begins in turn.
    const order = rotated([...works.keys()], round)
    for (const work of Object.keys(workNames) as WorkId[]) {
      for (const child of order) {
        if (!works.get(child)?.includes(work)) continue
        const byLibrary = measured[work] ?? {}
        const earlier = byLibrary[child.id] ?? []
        const latest = await measure(child, work, slice)
        measured[work] = { ...byLibrary, [child.id]: [...earlier, latest] }
      }
    }
    console.log(`  round ${round + 1} of ${rounds}`)
  }
  return measured
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}
