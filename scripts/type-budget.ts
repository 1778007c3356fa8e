/**
 * Counts the type instantiations that each file of `type-tests/budget` costs TypeScript beyond `nothing.ts`, and
 * compares them with `scripts/type-budgets.json`: what grows here is felt as a slow editor.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { type Compiled, compile, project } from "../type-tests/project.ts"

const budgets: Record<string, number> = JSON.parse(
  readFileSync("scripts/type-budgets.json", "utf8"),
)
const folder = project("budget")
const baseline = "nothing"
const names = readdirSync("type-tests/budget").map((file) => basename(file, ".ts"))
const cases = names.filter((name) => name !== baseline)
let spent = 0
let failures = 0

try {
  const { instantiations: least } = measured(baseline)
  for (const name of cases) {
    const { instantiations, problems } = measured(name)
    for (const problem of problems) fail(problem)
    report(name, instantiations - least)
  }
} finally {
  rmSync(folder, { recursive: true })
}
for (const name of Object.keys(budgets).filter((name) => !cases.includes(name))) {
  fail(`${name}: has a budget but no file in type-tests/budget`)
}
const budget = Object.values(budgets).reduce((sum, each) => sum + each, 0)
console.log(`types: ${spent} instantiations (budget ${budget}), ${failures} problems`)
process.exitCode = failures > 0 || spent === 0 ? 1 : 0

/** The packages' own declarations are not checked: their cost is nobody's who only uses them. */
function measured(name: string): Compiled {
  const options = { skipLibCheck: true, composite: false, declaration: false, noEmit: true }
  return compile(folder, options, [join(folder, `${name}.ts`)])
}

function report(name: string, instantiations: number): void {
  spent += instantiations
  const budget = budgets[name]
  if (budget === undefined) fail(`${name}: has no budget in scripts/type-budgets.json`)
  else if (instantiations > budget)
    fail(`${name}: ${instantiations} instantiations, over its budget of ${budget}`)
  else
    console.log(`${String(instantiations).padStart(7)} of ${String(budget).padStart(6)}  ${name}`)
}

function fail(message: string): void {
  failures += 1
  console.error(`✗ ${message}`)
}
