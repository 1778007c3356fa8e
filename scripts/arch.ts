/**
 * Checks the architecture: runs dependency-cruiser and prints what breaks a rule of
 * `.dependency-cruiser.cjs`. A cruise that saw too little of the core counts as a failure,
 * because a check that sees nothing would otherwise pass.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import type { ICruiseResult } from "dependency-cruiser"

const CORE = "packages/core/src/"
const DEPCRUISE = "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs"
const MINIMUM_CORE_MODULES = 30

interface Room {
  readonly room: string
  readonly files: string
}

const minimum = Number(process.argv[2] ?? MINIMUM_CORE_MODULES)
const result = cruise()
const core = result.modules
  .map((module) => module.source)
  .filter((source) => source.startsWith(CORE))
const problems = [...violations(result), ...outsideRooms(core)]

if (core.length < minimum) {
  problems.push(`saw ${core.length} modules in ${CORE}, expected at least ${minimum}`)
}
if (!result.modules.some((module) => module.source.includes("node_modules/jose/"))) {
  problems.push("saw no import of jose: imports of dependencies are not being followed")
}
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(
  `architecture: ${result.modules.length} modules (${core.length} in the core), ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0

function cruise(): ICruiseResult {
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

function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to]
    return `${rule.name}: ${path.join(" → ")}`
  })
}

/** Every file of the core belongs to a room, so that every file is covered by a floor. */
function outsideRooms(sources: readonly string[]): string[] {
  const rooms: Room[] = JSON.parse(readFileSync("scripts/floors.json", "utf8")).flat()
  const inside = rooms.map(({ files }) => new RegExp(`^${CORE}${files}`))
  return sources
    .filter((source) => !inside.some((room) => room.test(source)))
    .map((source) => `no-room: ${source} belongs to no room of scripts/floors.json`)
}
