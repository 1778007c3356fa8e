/**
 * Checks the architecture: runs dependency-cruiser and prints violations of the rules in
 * `.dependency-cruiser.cjs`. Finding too few modules of the core counts as a failure,
 * because a check without input would otherwise pass.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import type { ICruiseResult } from "dependency-cruiser"

const CORE = "packages/core/src/"
const DEPCRUISE = "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs"
const MINIMUM_CORE_MODULES = 30

interface CoreLayer {
  readonly layer: string
  readonly files: string
}

const minimumModules = Number(process.argv[2] ?? MINIMUM_CORE_MODULES)
const result = runDependencyCruiser()
const coreModules = result.modules
  .map((module) => module.source)
  .filter((source) => source.startsWith(CORE))
const problems = [...listViolations(result), ...findFilesOutsideLayers(coreModules)]

if (coreModules.length < minimumModules) {
  problems.push(`saw ${coreModules.length} modules in ${CORE}, expected at least ${minimumModules}`)
}
if (!result.modules.some((module) => module.source.includes("node_modules/jose/"))) {
  problems.push("saw no import of jose: imports of dependencies are not being followed")
}
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(
  `architecture: ${result.modules.length} modules (${coreModules.length} in the core), ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0

function runDependencyCruiser(): ICruiseResult {
  const args = [
    DEPCRUISE,
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
    "packages",
  ]
  const json = execFileSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  })
  return JSON.parse(json)
}

function listViolations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to]
    return `${rule.name}: ${path.join(" → ")}`
  })
}

/** Checks that every file of the core belongs to a layer. */
function findFilesOutsideLayers(sources: readonly string[]): string[] {
  const layers: CoreLayer[] = JSON.parse(readFileSync("scripts/layers.json", "utf8")).flat()
  const layerPatterns = layers.map(({ files }) => new RegExp(`^${CORE}${files}`))
  return sources
    .filter((source) => !layerPatterns.some((pattern) => pattern.test(source)))
    .map((source) => `no-layer: ${source} belongs to no layer of scripts/layers.json`)
}
