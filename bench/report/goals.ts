/** The goals of the performance, and how they are measured. */
import type { BundleId } from "../cold/bundle-sizes.ts"
import type { ColdMeasurement } from "../cold/cold-measurement.ts"
import { computeGrowth } from "../cold/report.ts"
import type { SubjectId } from "../libraries/library-names.ts"
import type { Rounds } from "../rounds.ts"
import type { WorkloadId } from "../workloads/workload.ts"
import { computeAddedTime } from "../wrap/report.ts"
import type { StoredResults } from "./results.ts"
import { computeRatios, computeScaling, median, type Quantity } from "./statistics.ts"

/** A figure that must be reached. */
export interface Goal {
  readonly title: string
  readonly direction: "at least" | "at most"
  readonly goal: number
  readonly unit: "×" | "KB" | "µs"
  /** Returns what was reached; undefined if it was not measured. */
  readonly measure: (results: StoredResults) => number | undefined
}

/** A floor leaves room for the noise of a machine. */
export type GoalStatus = "met" | "within the floor" | "missed" | "not measured"

const floorShare = 0.9

/** Returns the figure that must never be missed. */
export function computeFloor({ direction, goal }: Pick<Goal, "direction" | "goal">): number {
  return direction === "at least" ? goal * floorShare : goal / floorShare
}

/** Compares a figure with a goal. */
export function computeStatus(
  goal: Pick<Goal, "direction" | "goal">,
  reached: number | undefined,
): GoalStatus {
  if (reached === undefined) return "not measured"
  const isReached = (limit: number) =>
    goal.direction === "at least" ? reached >= limit : reached <= limit
  if (isReached(goal.goal)) return "met"
  return isReached(computeFloor(goal)) ? "within the floor" : "missed"
}

const versusAuthjs = "times as fast as Auth.js"
const versusPassport = "express-session with Passport"

/** In the order of the table. */
export const goals: readonly Goal[] = [
  atMost(
    "Import: time, compared with Auth.js",
    0.5,
    compareImports(({ elapsed }) => elapsed),
  ),
  atMost("Import: memory, compared with Auth.js", 0.5, compareImportMemory),
  sizeAtMost("Bundle", 40, "latchkey"),
  sizeAtMost("Bundle of a worker that only reads sessions", 13, "latchkeyReader"),
  fasterThanAuthjs("W1 encrypted cookie, distinct cookies", 35, "w1Distinct"),
  fasterThanAuthjs("W5 start of an OAuth sign-in", 25, "w5"),
  fasterThanAuthjs("W6 OIDC callback", 8, "w6"),
  fasterThanAuthjs("W7 sign-in with a password", 12, "w7"),
  fasterThanAuthjs("W10 16 KB of claims", 15, "w10Large"),
  atMost(`Express, session endpoint, compared with ${versusPassport}`, 1, comparePassport("w1")),
  atMost(`Express, no cookie, compared with ${versusPassport}`, 1, comparePassport("w8")),
  atMost("Express, `getSession` in a route, compared with static JSON", 2, compareStatic("page")),
  atMost("Express, the same with a row in SQLite", 2, compareStatic("w2Page")),
  atMost(`Express, password sign-in, compared with ${versusPassport}`, 1, comparePassport("w7")),
  atMost(`Express, OAuth start, compared with ${versusPassport}`, 1, comparePassport("w5")),
  {
    title: "What `@latchkey/fetch` adds to a request that reads no session",
    direction: "at most",
    goal: 5,
    unit: "µs",
    measure: ({ wrap }) => wrap && computeAddedTime(wrap),
  },
  {
    title: "Session checks of two processes, compared with one",
    direction: "at least",
    goal: 1.9,
    unit: "×",
    measure: ({ requests }) => medianOf((requests.scaling?.latchkey ?? []).map(computeScaling)),
  },
]

function atMost(title: string, goal: number, measure: Goal["measure"]): Goal {
  return { title, direction: "at most", goal, unit: "×", measure }
}

function fasterThanAuthjs(title: string, goal: number, workload: WorkloadId): Goal {
  return {
    title: `${title}: ${versusAuthjs}`,
    direction: "at least",
    goal,
    unit: "×",
    measure: ({ requests }) =>
      compare(requests.process.rounds, [workload, "reference"], [workload, "latchkey"], "time"),
  }
}

function sizeAtMost(title: string, goal: number, id: BundleId): Goal {
  return {
    title,
    direction: "at most",
    goal,
    unit: "KB",
    measure({ cold }) {
      const size = cold?.bundles[id]
      return size && size.complete / 1000
    },
  }
}

function comparePassport(workload: WorkloadId): Goal["measure"] {
  return ({ requests }) =>
    compare(requests.http.rounds, [workload, "latchkey"], [workload, "passport"], "cpu")
}

function compareStatic(workload: WorkloadId): Goal["measure"] {
  return ({ requests }) =>
    compare(requests.http.rounds, [workload, "latchkey"], ["bare", "latchkey"], "cpu")
}

type Compared = readonly [workload: WorkloadId, subject: SubjectId]

/** Returns how many times as long the first one takes. */
export function compare(
  rounds: Rounds,
  [workload, subject]: Compared,
  [otherWorkload, otherSubject]: Compared,
  quantity: Quantity,
): number | undefined {
  const measurements = rounds[workload]?.[subject] ?? []
  const others = rounds[otherWorkload]?.[otherSubject] ?? []
  return medianOf(computeRatios(measurements, others, quantity))
}

function compareImports(read: (measurement: ColdMeasurement) => number): Goal["measure"] {
  return ({ cold }) => {
    const { latchkey = [], reference = [] } = cold?.rounds.import ?? {}
    return medianOf(divide(latchkey.map(read), reference.map(read)))
  }
}

function compareImportMemory({ cold }: StoredResults): number | undefined {
  if (!cold) return undefined
  const growth = (id: "latchkey" | "reference") =>
    computeGrowth(cold.rounds, "import", id, "memory")
  return medianOf(divide(growth("latchkey"), growth("reference")))
}

/** Round by round. */
function divide(values: readonly number[], by: readonly number[]): readonly number[] {
  return values.flatMap((value, round) => {
    const divisor = by[round]
    return divisor ? [value / divisor] : []
  })
}

const medianOf = (values: readonly number[]): number | undefined =>
  values.length > 0 ? median(values) : undefined
