/** Reports the problems that the library finds in a configuration. */
import { type ConfigProblem, findConfigProblems } from "@latchkey/core"
import type { DoctorContext } from "./doctor-context.ts"
import { createGoodFinding, type Finding } from "./finding.ts"

export async function checkConfiguration(context: DoctorContext): Promise<Finding[]> {
  // Nobody else sends requests to a developer's machine.
  const problems = (await findConfigProblems(context.config)).filter(
    ({ type }) => context.production || type !== "email-link-host",
  )
  if (problems.length > 0) return problems.map(toFinding)
  return [createGoodFinding("configuration", "The configuration is valid")]
}

function toFinding({ level, type, expected, received, hint, docs }: ConfigProblem): Finding {
  const what = `Expected ${expected}${received === undefined ? "" : `, received ${received}`}.`
  return { level, code: type, what, fix: `${hint} (${docs})` }
}
