/** Reports the problems that the library finds in a configuration. */
import { type ConfigProblem, findConfigProblems } from "./config-problems.ts"
import type { DoctorContext } from "./doctor-context.ts"
import { createGoodFinding, createWarningFinding, type Finding } from "./finding.ts"

/** Warnings of the library with which somebody can sign in as another user. */
const dangerousWarnings = ["email-link-host"]

/** Nobody else sends requests to a developer's machine, nor serves pages on it. */
const productionWarnings = ["email-link-host", "insecure-origin"]

export async function checkConfiguration(context: DoctorContext): Promise<Finding[]> {
  const problems = (await findConfigProblems(context.config)).filter(
    ({ type }) => context.production || !productionWarnings.includes(type),
  )
  const findings = problems.map(toFinding)
  if (context.production && context.config.providers?.length === 0)
    findings.push(
      createWarningFinding(
        "no-providers",
        `${context.file} has no provider for production: nobody can sign in.`,
        "Add one to `providers`: docs/providers.md",
      ),
    )
  if (findings.length > 0) return findings
  return [createGoodFinding("configuration", "The configuration is valid")]
}

/** Whether there is a problem of the whole configuration, and not only of a provider. */
export async function isEveryRequestRefused({ config }: DoctorContext): Promise<boolean> {
  const problems = await findConfigProblems(config)
  return problems.some(({ level, provider }) => level === "error" && provider === undefined)
}

function toFinding(problem: ConfigProblem): Finding {
  const { type, provider, expected, received, hint, docs } = problem
  const level = dangerousWarnings.includes(type) ? "error" : problem.level
  const problemText = `Expected ${expected}${received === undefined ? "" : `, received ${received}`}.`
  const what = provider
    ? `${problemText} The provider is left out; everything else works.`
    : problemText
  return { level, code: type, what, fix: `${hint} (${docs})` }
}
