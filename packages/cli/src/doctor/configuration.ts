/** What the library itself finds wrong with a configuration. */
import { type ConfigProblem, configProblems } from "@latchkey/core"
import { type Finding, good } from "./finding.ts"
import type { Subject } from "./subject.ts"

export function* configurationFindings({ config }: Subject): Generator<Finding> {
  const problems = configProblems(config)
  if (problems.length === 0) yield good("configuration", "The configuration is complete")
  for (const problem of problems) yield findingOf(problem)
}

function findingOf({ level, type, expected, came, hint, docs }: ConfigProblem): Finding {
  const what = `The library expects ${expected}${came === undefined ? "" : `, and got ${came}`}.`
  return { level, code: type, what, fix: `${hint} (${docs})` }
}
