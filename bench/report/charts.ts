/** The charts of docs/performance.md. */
import { libraryIds, libraryNames } from "../libraries/library-names.ts"
import type { BenchResult, Rounds } from "../rounds.ts"
import type { WorkloadId } from "../workloads/workload.ts"
import { type BarChart, type BarGroup, renderBarChart } from "./bar-chart.ts"
import type { BenchResults } from "./results.ts"
import { median, type Quantity } from "./statistics.ts"

/** Renders the charts, by the name of their file in docs/images. */
export function renderCharts({ process: inProcess, http }: BenchResults): Record<string, string> {
  return {
    "performance-page.svg": renderBarChart(createPageChart(http)),
    "performance-in-process.svg": renderBarChart({
      title: "Checking a session, in process",
      subtitle: "Time of a request in µs: less is better",
      groups: [
        createGroup("Encrypted cookie", inProcess.rounds, "w1", "time"),
        createGroup("Row in SQLite", inProcess.rounds, "w2", "time"),
      ],
    }),
    "performance-sign-in.svg": renderBarChart({
      title: "Signing in",
      subtitle: "Processor time in µs, with Express: less is better",
      groups: [
        createGroup("Start of an OAuth sign-in", http.rounds, "w5", "cpu"),
        createGroup("OpenID Connect callback", http.rounds, "w6", "cpu"),
        createGroup("Password, without hashing", http.rounds, "w7", "cpu"),
      ],
    }),
  }
}

function createPageChart({ rounds }: BenchResult): BarChart {
  return {
    title: "A page that checks the session",
    subtitle: "Processor time in µs, with Express: less is better",
    groups: [
      createGroup("Encrypted cookie", rounds, "page", "cpu"),
      createGroup("Row in SQLite", rounds, "w2Page", "cpu"),
    ],
  }
}

function createGroup(
  title: string,
  rounds: Rounds,
  workload: WorkloadId,
  quantity: Quantity,
): BarGroup {
  const bars = libraryIds.flatMap((id) => {
    const measurements = rounds[workload]?.[id]
    if (!measurements) return []
    const value = median(measurements.map((each) => each[quantity]))
    return [{ label: libraryNames[id], value, isEmphasized: id === "latchkey" }]
  })
  return { title, bars }
}
