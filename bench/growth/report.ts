/** Renders the results as tables. */
import { formatNumber } from "../report/format-number.ts"
import type { Machine } from "../report/machine.ts"
import { median } from "../report/statistics.ts"
import { formatCount } from "./format-count.ts"
import type { GrowthOptions } from "./options.ts"
import { concurrentCallers, type Throughput } from "./pool-throughput.ts"
import type { QueryCost } from "./query-plans.ts"
import type { RedisMemoryUsage } from "./redis-memory.ts"
import type { RoundMeasurement, Rounds } from "./rounds.ts"
import type { StorageSize } from "./storage-sizes.ts"
import { type WorkloadId, workloadIds, workloadTitles } from "./workloads.ts"

/** All measurements. Numeric keys are numbers of sessions. */
export interface GrowthResults {
  readonly machine: Machine
  readonly server: Readonly<Record<string, string>>
  readonly options: GrowthOptions
  readonly storageSizes: Readonly<Record<number, readonly StorageSize[]>>
  readonly queryCosts: Readonly<Record<number, Readonly<Record<WorkloadId, QueryCost>>>>
  readonly rounds: Readonly<Record<number, Rounds>>
  readonly pools: {
    readonly sessions: number
    readonly rounds: Readonly<Record<number, readonly Throughput[]>>
  }
  readonly redis: readonly RedisMemoryUsage[]
}

/** Renders the section between the markers of docs/scaling.md. */
export function renderMarkdown(results: GrowthResults): string {
  const { sessionCounts, rounds } = results.options
  return [
    renderMachine(results),
    "![Time of a call by the number of sessions](images/scaling-rows.svg)",
    "![Session checks per second by connections](images/scaling-connections.svg)",
    "#### Time",
    `Microseconds per call, median and 95th percentile (medians of ${rounds} rounds). In brackets: ratio to the first column's median.`,
    renderTimes(results),
    "#### Processor time of our process",
    "Microseconds per call, without the database server.",
    renderTable(
      ["Work", ...sessionCounts.map(formatCount)],
      renderQuantity(results, ({ cpu }) => cpu),
    ),
    "#### Pages that the server reads",
    "Pages of 8 KiB, in memory or not: `explain (analyze, buffers)`, all statements of the work together, without foreign-key checks.",
    renderPages(results),
    "#### Write-ahead log",
    "KiB that one run adds to the server's write-ahead log, which replicas receive, too: for the first change of the pages after a checkpoint, which logs them as a whole; and for later changes.",
    renderWalBytes(results),
    "#### Disk space",
    "MiB, and in brackets the levels of the index. Index pages are filled to 70 %, as after random growth.",
    renderStorageSizes(results),
    "#### Connections",
    `Session checks with ${formatCount(results.pools.sessions)} sessions, ${concurrentCallers} of them at once, from one process.`,
    renderPools(results),
    "#### Redis",
    "Bytes of memory per entry (`used_memory`), on one server.",
    renderRedisMemory(results),
  ].join("\n\n")
}

function renderMachine({ machine, server }: GrowthResults): string {
  const { date, node, processors, processor, loadBefore, versions } = machine
  const list = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`)
  return (
    `Measured on ${date} with Node.js ${node} and PostgreSQL ${server["server_version"]} together on ${processors} × ${processor}, ` +
    `load before: ${loadBefore}. \`shared_buffers\` ${server["shared_buffers"]}, ` +
    `\`fsync\` ${server["fsync"]}. ${list.join(", ")}.`
  )
}

function renderTimes({ options: { sessionCounts }, rounds }: GrowthResults): string {
  const [smallest = 0] = sessionCounts
  const body = workloadIds.map((work) => [
    workloadTitles[work],
    ...sessionCounts.map((size) => {
      const measurements = rounds[size]?.[work] ?? []
      const cell = formatPercentiles(measurements)
      return size === smallest
        ? cell
        : `${cell} (${formatRatio(measurements, rounds[smallest]?.[work] ?? [])} ×)`
    }),
  ])
  return renderTable(["Work", ...sessionCounts.map(formatCount)], body)
}

function formatPercentiles(measurements: readonly RoundMeasurement[]): string {
  const medianTime = formatNumber(median(measurements.map(({ p50 }) => p50)))
  const ranOnce = measurements.every(({ runCount }) => runCount === 1)
  return ranOnce
    ? medianTime
    : `${medianTime}, ${formatNumber(median(measurements.map(({ p95 }) => p95)))}`
}

/** Compares round by round, because other work on the machine affects a whole round. */
function formatRatio(
  measurements: readonly RoundMeasurement[],
  first: readonly RoundMeasurement[],
): string {
  const ratios = measurements.map(({ p50 }, round) => p50 / (first[round]?.p50 ?? Number.NaN))
  return median(ratios).toFixed(1)
}

function renderQuantity(
  { options: { sessionCounts }, rounds }: GrowthResults,
  quantity: (measured: RoundMeasurement) => number,
): string[][] {
  return workloadIds.map((work) => [
    workloadTitles[work],
    ...sessionCounts.map((size) =>
      formatNumber(median((rounds[size]?.[work] ?? []).map(quantity))),
    ),
  ])
}

function renderPages({ options: { sessionCounts }, queryCosts: all }: GrowthResults): string {
  const body = workloadIds.map((work) => {
    const indices = all[sessionCounts.at(-1) ?? 0]?.[work].indices ?? []
    const pages = sessionCounts.map((size) => String(all[size]?.[work].pages ?? "–"))
    return [workloadTitles[work], ...pages, indices.map((name) => `\`${name}\``).join(", ") || "–"]
  })
  return renderTable(["Work", ...sessionCounts.map(formatCount), "Indices used"], body)
}

function renderWalBytes({ options: { sessionCounts }, queryCosts: all }: GrowthResults): string {
  const writing = workloadIds.filter(
    (work) => (all[sessionCounts[0] ?? 0]?.[work].walBytes.again ?? 0) > 0,
  )
  const body = writing.map((work) => [
    workloadTitles[work],
    ...sessionCounts.map((size) => {
      const { first = 0, again = 0 } = all[size]?.[work].walBytes ?? {}
      return `${formatNumber(first / 1024)}, ${formatNumber(again / 1024)}`
    }),
  ])
  return renderTable(["Work", ...sessionCounts.map(formatCount)], body)
}

function renderStorageSizes({
  options: { sessionCounts },
  storageSizes: stored,
}: GrowthResults): string {
  const storageSizes = stored[sessionCounts[0] ?? 0] ?? []
  const body = storageSizes.map(({ table, index }) => [
    index === null ? `\`${table}\`` : `… \`${index}\``,
    ...sessionCounts.map((size) => {
      const storageSize = stored[size]?.find((each) => each.table === table && each.index === index)
      const height = storageSize?.levels === null ? "" : ` (${storageSize?.levels})`
      return `${formatMebibytes(storageSize?.bytes ?? 0)}${height}`
    }),
  ])
  return renderTable(["", ...sessionCounts.map((size) => `${formatCount(size)} sessions`)], body)
}

function renderPools({ pools: { rounds } }: GrowthResults): string {
  const body = Object.entries(rounds).map(([max, measurements]) => [
    max,
    (median(measurements.map(({ perSecond }) => perSecond)) / 1000).toFixed(1),
    (median(measurements.map(({ p95 }) => p95)) / 1000).toFixed(1),
  ])
  return renderTable(["Connections", "Thousand checks per second", "95th percentile, in ms"], body)
}

function renderRedisMemory({ redis }: GrowthResults): string {
  const body = redis.map(({ sessions, user, session, sessionInRedisSessions }) => [
    formatCount(sessions),
    ...[user, session, sessionInRedisSessions].map(String),
  ])
  const header = ["Sessions", "A user with an account", "A session", "A session in `RedisSessions`"]
  return renderTable(header, body)
}

function renderTable(header: readonly string[], body: readonly (readonly string[])[]): string {
  const align = header.map((_, column) => (column === 0 ? "---" : "--:"))
  return [header, align, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function formatMebibytes(bytes: number): string {
  const value = bytes / 2 ** 20
  return value >= 10 ? value.toFixed(0) : value.toFixed(1)
}
