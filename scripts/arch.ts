/**
 * Checks the architecture: runs dependency-cruiser and prints violations of the rules in
 * `.dependency-cruiser.cjs`, and finds checks that depend on the realm. Finding too few modules of the core counts as a failure,
 * because a check without input would otherwise pass.
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
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
const problems = [
  ...listViolations(result),
  ...findFilesOutsideLayers(coreModules),
  ...findRealmChecks(),
]

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

/**
 * Finds `instanceof` with a class of the platform in packages that servers load. Values from another realm are none of its
 * instances: use the checks of `packages/core/src/objects.ts`.
 */
function findRealmChecks(): string[] {
  const exclude = ["packages/{cli,testing}/**", "packages/pages/src/assets/assets.ts"]
  return globSync("packages/*/src/**/*.ts", { exclude }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/ instanceof (\w+)/g)]
      .filter(([, name = ""]) => Object.hasOwn(globalThis, name))
      .map(([check]) => `realm: ${file} checks${check}`),
  )
}
