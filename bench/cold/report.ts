/** Renders what was measured in fresh processes. */
import { libraryNames } from "../libraries/library-names.ts"
import { formatNumber } from "../report/format-number.ts"
import { renderMachine } from "../report/machine.ts"
import { renderTable } from "../report/markdown.ts"
import type { ColdResults } from "../report/results.ts"
import { median } from "../report/statistics.ts"
import type { BundleSizes } from "./bundle-sizes.ts"
import {
  type ColdMeasurement,
  type ColdRounds,
  type ColdSubjectId,
  coldSubjectIds,
  type ScenarioId,
  scenarioIds,
  scenarios,
} from "./cold-measurement.ts"

const subjectNames: Readonly<Record<ColdSubjectId, string>> = {
  ...libraryNames,
  empty: "The same without a library",
}

/** Renders the section of docs/performance.md. */
export function renderColdStarts({ machine, rounds, bundles }: ColdResults): string {
  return [
    renderMachine(machine),
    ...scenarioIds.flatMap((id) => [`### ${scenarios[id].title}`, renderScenario(rounds, id)]),
    "### Bundle size",
    renderBundles(bundles),
  ].join("\n\n")
}

function renderScenario(rounds: ColdRounds, scenario: ScenarioId): string {
  const body = coldSubjectIds.flatMap((id) => {
    const measurements = rounds[scenario]?.[id]
    if (!measurements) return []
    const cells = [
      renderSpread(measurements.map(({ elapsed }) => elapsed)),
      renderSpread(measurements.map(({ cpu }) => cpu)),
      renderSpread(computeGrowth(rounds, scenario, id, "memory").map(toMegabytes)),
      renderSpread(computeGrowth(rounds, scenario, id, "heap").map(toMegabytes)),
    ]
    return [[subjectNames[id], ...cells]]
  })
  return renderTable(["", "Elapsed, ms", "Processor, ms", "Memory, MB", "Heap, MB"], body)
}

/**
 * Returns how many bytes more each process has than the one without a library in the same round; of that one itself, how
 * many it has.
 */
export function computeGrowth(
  rounds: ColdRounds,
  scenario: ScenarioId,
  id: ColdSubjectId,
  quantity: "memory" | "heap",
): readonly number[] {
  const { [id]: measurements = [], empty = [] } = rounds[scenario] ?? {}
  return measurements.map((measurement: ColdMeasurement, round) => {
    const before = id === "empty" ? 0 : (empty[round]?.[quantity] ?? 0)
    return measurement[quantity] - before
  })
}

const toMegabytes = (bytes: number): number => bytes / 1e6

/** Median, lowest and highest. */
function renderSpread(values: readonly number[]): string {
  const [middle, lowest, highest] = [median(values), Math.min(...values), Math.max(...values)]
  return `${formatNumber(middle)} (${formatNumber(lowest)}–${formatNumber(highest)})`
}

function renderBundles(bundles: BundleSizes): string {
  const body = Object.values(bundles).map(({ title, own, complete, everything }) => [
    title,
    ...[own, complete, everything].map((bytes) => formatNumber(bytes / 1000)),
  ])
  const header = [
    "KB, minified and compressed",
    "Own code",
    "With dependencies",
    "Loaded later, too",
  ]
  return renderTable(header, body)
}
