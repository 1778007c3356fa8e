/** The goals of the performance, and how they are measured. */
import type { BundleId } from "../cold/bundle-sizes.ts"
import type { ColdSubjectId, ScenarioId } from "../cold/cold-measurement.ts"
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
const versusPassport = "compared with express-session with Passport"
const versusFresh = "compared with the better of Auth.js and Better Auth"

/** In the order of the table. */
export const goals: readonly Goal[] = [
  atMost(
    "Import: time, compared with Auth.js",
    0.5,
    compareFresh("import", "elapsed", ["reference"]),
  ),
  atMost(
    "Import: memory, compared with Auth.js",
    0.5,
    compareFresh("import", "memory", ["reference"]),
  ),
  ...freshGoals("first session check", "session"),
  ...freshGoals("first redirect to a provider", "start"),
  ...freshGoals("first session check, bundled into one file", "bundledSession"),
  ...freshGoals("first redirect to a provider, bundled into one file", "bundledStart"),
  ...freshGoals("first session check, bundled with code splitting", "splitSession"),
  ...freshGoals("first redirect to a provider, bundled with code splitting", "splitStart"),
  sizeAtMost("Bundle", 40, "latchkey"),
  sizeAtMost("Bundle of a worker that only reads sessions", 13, "latchkeyReader"),
  fasterThanAuthjs("W1 encrypted cookie, distinct cookies", 35, "w1Distinct"),
  fasterThanAuthjs("W5 start of an OAuth sign-in", 25, "w5"),
  fasterThanAuthjs("W6 OIDC callback", 8, "w6"),
  fasterThanAuthjs("W7 sign-in with a password", 12, "w7"),
  fasterThanAuthjs("W10 16 KB of claims", 15, "w10Large"),
  atMostPassport("session endpoint, encrypted cookie", "w1"),
  atMostPassport("session endpoint, row in SQLite", "w2"),
  atMostPassport("session endpoint, no cookie", "w8"),
  atMostPassport("a page that checks the session", "page"),
  atMostPassport("the same with a row in SQLite", "w2Page"),
  atMostPassport("start of an OAuth sign-in", "w5"),
  // Latchkey verifies the signature of the ID token, and Passport's strategy does not.
  atMostPassport("OIDC callback, verified here and not there", "w6", 1.5),
  atMostPassport("sign-in with a password", "w7"),
  atMost("Express, `getSession` in a route, compared with static JSON", 1.8, compareStatic("page")),
  atMost("Express, the same with a row in SQLite", 1.8, compareStatic("w2Page")),
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

function atMostPassport(title: string, workload: WorkloadId, goal = 1): Goal {
  return atMost(`Express, ${title}, ${versusPassport}`, goal, ({ requests }) =>
    compare(requests.http.rounds, [workload, "latchkey"], [workload, "passport"], "cpu"),
  )
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

type FreshQuantity = "elapsed" | "memory"

/** A fresh process is faster and smaller than with each of the others. */
function freshGoals(title: string, scenario: ScenarioId): readonly Goal[] {
  const rivals = ["reference", "better"] as const
  return [
    atMost(
      `Fresh process, ${title}: time, ${versusFresh}`,
      1,
      compareFresh(scenario, "elapsed", rivals),
    ),
    atMost(
      `Fresh process, ${title}: memory, ${versusFresh}`,
      1,
      compareFresh(scenario, "memory", rivals),
    ),
  ]
}

/** Compares fresh processes with the best one of several others, round by round. */
function compareFresh(
  scenario: ScenarioId,
  quantity: FreshQuantity,
  rivals: readonly ("reference" | "better")[],
): Goal["measure"] {
  return ({ cold }) => {
    if (!cold) return undefined
    const { rounds } = cold
    const read = (id: ColdSubjectId) =>
      quantity === "memory"
        ? computeGrowth(rounds, scenario, id, "memory")
        : (rounds[scenario]?.[id] ?? []).map(({ elapsed }) => elapsed)
    const ofRivals = rivals.map(read)
    const ratios = read("latchkey").flatMap((value, round) => {
      const best = Math.min(...ofRivals.map((values) => values[round] ?? Number.NaN))
      return best > 0 ? [value / best] : []
    })
    return medianOf(ratios)
  }
}

const medianOf = (values: readonly number[]): number | undefined =>
  values.length > 0 ? median(values) : undefined
