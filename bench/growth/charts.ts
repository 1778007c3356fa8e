/** The charts of docs/scaling.md. */
import { type BarGroup, renderBarChart } from "../report/bar-chart.ts"
import { median } from "../report/statistics.ts"
import { formatCount } from "./format-count.ts"
import { concurrentCallers } from "./pool-throughput.ts"
import type { GrowthResults } from "./report.ts"
import type { WorkloadId } from "./workloads.ts"

/** Renders the charts, by the name of their file in docs/images. */
export function renderCharts(results: GrowthResults): Record<string, string> {
  return {
    "scaling-rows.svg": renderBarChart({
      title: "Time of a call, by the number of sessions",
      subtitle: "Time in µs, with PostgreSQL: less is better",
      groups: [
        createRowsGroup("Session check", results, "check"),
        createRowsGroup("Session check with renewal", results, "renewal"),
        createRowsGroup("The session of a sign-in", results, "signIn"),
        createRowsGroup("Sign-out", results, "signOut"),
      ],
    }),
    "scaling-connections.svg": renderBarChart({
      title: "Session checks, by connections",
      subtitle: "Thousand checks per second: more is better",
      groups: [createConnectionsGroup(results)],
    }),
  }
}

function createRowsGroup(
  title: string,
  { options, rounds }: GrowthResults,
  workload: WorkloadId,
): BarGroup {
  const bars = options.sessionCounts.map((count) => ({
    label: `${formatCount(count)} sessions`,
    value: median((rounds[count]?.[workload] ?? []).map(({ p50 }) => p50)),
    isEmphasized: true,
  }))
  return { title, bars }
}

function createConnectionsGroup({ pools }: GrowthResults): BarGroup {
  const bars = Object.entries(pools.rounds).map(([connections, measurements]) => ({
    label: connections === "1" ? "1 connection" : `${connections} connections`,
    value: median(measurements.map(({ perSecond }) => perSecond)) / 1000,
    isEmphasized: true,
  }))
  const title = `${formatCount(pools.sessions)} sessions, ${concurrentCallers} checks at once`
  return { title, bars }
}
