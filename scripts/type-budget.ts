/**
 * Counts the type instantiations that each file of `type-tests/budget` adds to those of `baseline.ts`, and
 * compares them with `scripts/type-budgets.json`: more instantiations make editors slower.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { basename } from "node:path"
import { type CompileResult, compileProject, createProject } from "../type-tests/project.ts"

const budgets: Record<string, number> = JSON.parse(
  readFileSync("scripts/type-budgets.json", "utf8"),
)
const folder = createProject("budget")
const baseline = "baseline"
const names = readdirSync("type-tests/budget").map((file) => basename(file, ".ts"))
const cases = names.filter((name) => name !== baseline)
let totalInstantiations = 0
let failureCount = 0

try {
  const { instantiationCount: baselineInstantiations } = compileCase(baseline)
  for (const name of cases) {
    const { instantiationCount, diagnostics } = compileCase(name)
    for (const problem of diagnostics) reportFailure(problem)
    reportInstantiations(name, instantiationCount - baselineInstantiations)
  }
} finally {
  rmSync(folder, { recursive: true })
}
for (const name of Object.keys(budgets).filter((name) => !cases.includes(name))) {
  reportFailure(`${name}: has a budget but no file in type-tests/budget`)
}
const budget = Object.values(budgets).reduce((sum, each) => sum + each, 0)
console.log(
  `types: ${totalInstantiations} instantiations (budget ${budget}), ${failureCount} problems`,
)
process.exitCode = failureCount > 0 || totalInstantiations === 0 ? 1 : 0

/** The packages' own declarations are not checked, because applications do not check them either. */
function compileCase(name: string): CompileResult {
  const options = { skipLibCheck: true, composite: false, declaration: false, noEmit: true }
  return compileProject(folder, { options, files: [`${name}.ts`], compiler: "typescript" })
}

function reportInstantiations(name: string, instantiations: number): void {
  totalInstantiations += instantiations
  const budget = budgets[name]
  if (budget === undefined) reportFailure(`${name}: has no budget in scripts/type-budgets.json`)
  else if (instantiations > budget)
    reportFailure(`${name}: ${instantiations} instantiations, over its budget of ${budget}`)
  else
    console.log(`${String(instantiations).padStart(7)} of ${String(budget).padStart(6)}  ${name}`)
}

function reportFailure(message: string): void {
  failureCount += 1
  console.error(`✗ ${message}`)
}
