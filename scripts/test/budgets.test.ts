import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { compareFigures, updateBudgets } from "../budgets/compare-figures.ts"
import { createBudgetTable } from "../budgets/create-budget-table.ts"
import type { WorkloadFigures } from "../budgets/figures.ts"

const budgets: WorkloadFigures = {
  w1: { promises: 61, hashes: 1, bytes: 42_000 },
  w2: { promises: 54, sqlStatements: 1, bytes: 36_700 },
}
const { w1, w2 } = budgets

test("a count over its budget is a problem, and one below an improvement", () => {
  expect(compareFigures(budgets, budgets)).toEqual({ problems: [], improvements: [] })
  const measured = { w1: { ...w1, promises: 62 }, w2: { ...w2, sqlStatements: 0 } }
  expect(compareFigures(measured, budgets)).toEqual({
    problems: ["w1: 62 promises, over its budget of 61"],
    improvements: ["w2: 0 sqlStatements, under its budget of 1"],
  })
})

test("a count that had none is a problem", () => {
  const { problems } = compareFigures({ ...budgets, w1: { ...w1, urls: 1 } }, budgets)
  expect(problems).toEqual(["w1: 1 urls, over its budget of 0"])
})

test("bytes may differ by 5 %", () => {
  const measure = (bytes: number) => compareFigures({ ...budgets, w1: { ...w1, bytes } }, budgets)
  expect(measure(44_100)).toEqual({ problems: [], improvements: [] })
  expect(measure(39_900)).toEqual({ problems: [], improvements: [] })
  expect(measure(44_200).problems).toEqual(["w1: 44200 bytes, over its budget of 42000"])
  expect(measure(39_800)).toEqual({
    problems: [],
    improvements: ["w1: 39800 bytes, under its budget of 42000"],
  })
})

test("a workload without figures or without a budget is a problem", () => {
  expect(compareFigures({}, { w1: { promises: 1 } }).problems).toEqual([
    "w1: has a budget but was not measured",
  ])
  expect(compareFigures({ w1: { promises: 1 } }, {}).problems).toEqual(["w1: has no budget"])
})

test("writing keeps budgets that hold, and drops figures that are 0", () => {
  const measured = { w1: { promises: 60, hashes: 0, bytes: 42_300 } }
  expect(updateBudgets(measured, budgets)).toEqual({ w1: { promises: 60, bytes: 42_000 } })
})

test("the counters see each kind of work once", async () => {
  const sample = join(import.meta.dirname, "support/count-sample.ts")
  const { stdout } = await promisify(execFile)(process.execPath, [sample])
  const { promises, ...counts } = JSON.parse(stdout)
  expect(promises).toBeGreaterThan(1)
  expect(counts).toEqual({
    hashes: 2,
    urls: 2,
    responses: 1,
    searchParams: 1,
    json: 1,
    sqlPrepares: 1,
    sqlStatements: 1,
    timers: 1,
    poolJobs: 1,
  })
})

test("the documentation has the committed figures", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8")
  const committed: WorkloadFigures = JSON.parse(read("scripts/operation-budgets.json"))
  expect(Object.keys(committed)).toContain("w1")
  expect(read("docs/performance.md")).toContain(createBudgetTable(committed))
})
