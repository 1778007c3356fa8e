/** Reports the problems that the library finds in a configuration. */
import { type ConfigProblem, findConfigProblems } from "@latchkey/core"
import type { DoctorContext } from "./doctor-context.ts"
import { createGoodFinding, type Finding } from "./finding.ts"

export function* checkConfiguration({ config }: DoctorContext): Generator<Finding> {
  const problems = findConfigProblems(config)
  if (problems.length === 0) yield createGoodFinding("configuration", "The configuration is valid")
  for (const problem of problems) yield toFinding(problem)
}

function toFinding({ level, type, expected, received, hint, docs }: ConfigProblem): Finding {
  const what = `Expected ${expected}${received === undefined ? "" : `, received ${received}`}.`
  return { level, code: type, what, fix: `${hint} (${docs})` }
}
