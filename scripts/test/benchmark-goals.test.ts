import { expect, test } from "vitest"
import { computeGrowth } from "../../bench/cold/report.ts"
import type { Measurement } from "../../bench/process/commands.ts"
import { renderGoals } from "../../bench/report/goal-table.ts"
import { compare, computeFloor, computeStatus, goals } from "../../bench/report/goals.ts"
import type { StoredResults } from "../../bench/report/results.ts"
import { computeRatios, computeScaling, median } from "../../bench/report/statistics.ts"

const run = (time: number): Measurement => ({ time, cpu: time / 2, runCount: 1 })
const runs = (...times: readonly number[]) => times.map(run)
const machine = {
  date: "2026-01-01",
  node: "v24.0.0",
  processors: 2,
  processor: "a processor",
  loadBefore: 0,
  versions: {},
}

test("the median of an even number of values is between the two in the middle", () => {
  expect(median([4, 1, 2, 9])).toBe(3)
  expect(median([3, 1, 2])).toBe(2)
  expect(() => median([])).toThrow("Nothing was measured")
})

test("ratios pair the measurements of one round", () => {
  expect(computeRatios(runs(10, 40), runs(5, 10), "time")).toEqual([2, 4])
  expect(computeRatios(runs(10, 40), runs(5), "cpu")).toEqual([2])
})

test("two processes that are as fast as one alone do twice the work", () => {
  expect(computeScaling({ alone: run(20), together: runs(20, 20) })).toBe(2)
  expect(computeScaling({ alone: run(20), together: runs(40, 40) })).toBe(1)
})

test.each([
  ["at least", 10, 10, "met"],
  ["at least", 10, 9.1, "within the floor"],
  ["at least", 10, 8.9, "missed"],
  ["at most", 9, 9, "met"],
  ["at most", 9, 9.9, "within the floor"],
  ["at most", 9, 10.1, "missed"],
  ["at most", 9, undefined, "not measured"],
] as const)("%s %d, and %s was reached: %s", (direction, goal, reached, status) => {
  expect(computeStatus({ direction, goal }, reached)).toBe(status)
})

test("the floor is on the easier side of a goal", () => {
  expect(computeFloor({ direction: "at least", goal: 20 })).toBe(18)
  expect(computeFloor({ direction: "at most", goal: 9 })).toBe(10)
})

test("a comparison without measurements has no result", () => {
  const rounds = { w1: { latchkey: runs(10, 20), passport: runs(20, 20) } }
  expect(compare(rounds, ["w1", "latchkey"], ["w1", "passport"], "time")).toBe(0.75)
  expect(compare(rounds, ["w1", "latchkey"], ["w1", "better"], "time")).toBeUndefined()
})

test("memory is compared with the process without a library in the same round", () => {
  const process = (memory: number) => ({ elapsed: 1, cpu: 1, memory, heap: 1 })
  const rounds = {
    import: { empty: [process(40), process(50)], latchkey: [process(70), process(60)] },
    session: {},
    start: {},
  }
  expect(computeGrowth(rounds, "import", "latchkey", "memory")).toEqual([30, 10])
  expect(computeGrowth(rounds, "import", "empty", "memory")).toEqual([40, 50])
})

test("the table has every goal, and says plainly which ones are missed", () => {
  const process = (elapsed: number, memory: number) => [{ elapsed, cpu: 1, memory, heap: 1 }]
  const bundle = { title: "Latchkey", own: 20_000, complete: 44_000, everything: 50_000 }
  const results: StoredResults = {
    requests: {
      machine,
      process: {
        rounds: {
          w1Distinct: { latchkey: runs(10), reference: runs(360) },
          w5: { latchkey: runs(10), reference: runs(200) },
        },
        facts: {},
      },
      http: {
        rounds: {
          w1: { latchkey: runs(95), passport: runs(100) },
          page: { latchkey: runs(42) },
          bare: { latchkey: runs(20) },
        },
        facts: {},
      },
      scaling: { latchkey: [{ alone: run(10), together: runs(10, 10) }], limit: [] },
    },
    cold: {
      machine,
      rounds: {
        import: { empty: process(1, 40), latchkey: process(40, 60), reference: process(60, 90) },
        session: {
          empty: process(1, 40),
          latchkey: process(30, 50),
          reference: process(60, 60),
          better: process(40, 90),
        },
        start: {},
      },
      bundles: { latchkey: bundle },
    },
    wrap: { machine, rounds: [{ plain: 10, wrapped: 12.5 }] },
    busy: undefined,
    frameworks: undefined,
    load: undefined,
  }
  const lines = renderGoals(results).split("\n")
  const find = (start: string) => lines.find((line) => line.startsWith(`| ${start}`))

  expect(find("W1")).toMatch(/\| ≥ 35 × \| 36 × \| ≥ 31.5 × \| met \|$/)
  expect(find("W5")).toMatch(/\| ≥ 25 × \| 20 × \| .* \| missed \|$/)
  expect(find("Import: time")).toMatch(/\| 0.67 × \| ≤ 0.56 × \| missed \|$/)
  expect(find("Import: memory")).toMatch(/\| 0.4 × \| .* \| met \|$/)
  expect(find("Fresh process, first session check: time")).toMatch(/\| 0.75 × \| .* \| met \|$/)
  expect(find("Fresh process, first session check: memory")).toMatch(/\| 0.5 × \| .* \| met \|$/)
  expect(find("Bundle")).toMatch(/\| ≤ 40 KB \| 44 KB \| ≤ 44.4 KB \| within the floor \|$/)
  expect(find("Express, session endpoint")).toMatch(/\| 0.95 × \| .* \| met \|$/)
  expect(find("Express, `getSession`")).toMatch(/\| 2.1 × \| ≤ 2 × \| missed \|$/)
  expect(find("Session checks of two processes")).toMatch(/\| 2 × \| .* \| met \|$/)
  expect(find("What `@latchkey/fetch` adds")).toMatch(/\| ≤ 5 µs \| 2.5 µs \| .* \| met \|$/)
  expect(find("W10")).toMatch(/\| – \| .* \| not measured \|$/)
  expect(lines.at(-1)).toBe(
    `7 of ${goals.length} goals are met, 1 are within the floor, 3 are missed, and ${goals.length - 11} are not measured.`,
  )
})
