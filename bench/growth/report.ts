/** The results as tables. */
import type { Machine } from "../report/machine.ts"
import { median } from "../report/statistics.ts"
import { callers, type Throughput } from "./connections.ts"
import type { GrowthOptions } from "./options.ts"
import type { Touched } from "./plans.ts"
import type { RedisMemory } from "./redis-memory.ts"
import type { Measured, Rounds } from "./rounds.ts"
import type { Stored } from "./sizes.ts"
import { type WorkName, workNames, works } from "./works.ts"

/** Everything that was measured. Where the keys are numbers, they are numbers of sessions. */
export interface GrowthResults {
  readonly machine: Machine
  readonly server: Readonly<Record<string, string>>
  readonly options: GrowthOptions
  readonly stored: Readonly<Record<number, readonly Stored[]>>
  readonly touched: Readonly<Record<number, Readonly<Record<WorkName, Touched>>>>
  readonly rounds: Readonly<Record<number, Rounds>>
  readonly pools: {
    readonly sessions: number
    readonly rounds: Readonly<Record<number, readonly Throughput[]>>
  }
  readonly redis: readonly RedisMemory[]
}

/** Everything between the markers of docs/scaling.md. */
export function markdownOf(results: GrowthResults): string {
  const { sizes, rounds } = results.options
  return [
    surroundings(results),
    "#### Time",
    `Microseconds from call to answer, median and 95 of 100 (medians of ${rounds} rounds). In brackets: how many times the first column's median.`,
    times(results),
    "#### Processor time of our process",
    "Microseconds for one call; what the server works is not in it.",
    table(
      ["Work", ...sizes.map(counted)],
      worked(results, ({ cpu }) => cpu),
    ),
    "#### Pages that the server touches",
    "Of 8 KiB, in its memory or not: `explain (analyze, buffers)`, all statements of the work together, without the checks of foreign keys.",
    touched(results),
    "#### Log of changes",
    "KiB that one run adds to the server's log (WAL), which replicas get, too: when the pages change for the first time after a checkpoint, and are logged as a whole; and when they have changed before.",
    logged(results),
    "#### Room",
    "MiB, and in brackets the levels of the index. Pages of indices are filled to 70 %, as they are after random growth.",
    room(results),
    "#### Connections",
    `Session checks with ${counted(results.pools.sessions)} sessions, ${callers} of them asked at once, by one process.`,
    pools(results),
    "#### Redis",
    "Bytes of memory for each (`used_memory`), on one server.",
    memory(results),
  ].join("\n\n")
}

function surroundings({ machine, server }: GrowthResults): string {
  const { date, node, processors, processor, loadBefore, versions } = machine
  const list = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`)
  return (
    `Measured on ${date} with Node.js ${node} and PostgreSQL ${server["server_version"]} together on ${processors} × ${processor}, ` +
    `load before: ${loadBefore}. \`shared_buffers\` ${server["shared_buffers"]}, ` +
    `\`fsync\` ${server["fsync"]}. ${list.join(", ")}.`
  )
}

function times({ options: { sizes }, rounds }: GrowthResults): string {
  const [smallest = 0] = sizes
  const body = works.map((work) => [
    workNames[work],
    ...sizes.map((size) => {
      const own = rounds[size]?.[work] ?? []
      const cell = spread(own)
      return size === smallest ? cell : `${cell} (${ratio(own, rounds[smallest]?.[work] ?? [])} ×)`
    }),
  ])
  return table(["Work", ...sizes.map(counted)], body)
}

function spread(own: readonly Measured[]): string {
  const middle = short(median(own.map(({ p50 }) => p50)))
  const once = own.every(({ runs }) => runs === 1)
  return once ? middle : `${middle}, ${short(median(own.map(({ p95 }) => p95)))}`
}

/** Round by round: what disturbs a round disturbs both. */
function ratio(own: readonly Measured[], first: readonly Measured[]): string {
  const ratios = own.map(({ p50 }, round) => p50 / (first[round]?.p50 ?? Number.NaN))
  return median(ratios).toFixed(1)
}

function worked(
  { options: { sizes }, rounds }: GrowthResults,
  quantity: (measured: Measured) => number,
): string[][] {
  return works.map((work) => [
    workNames[work],
    ...sizes.map((size) => short(median((rounds[size]?.[work] ?? []).map(quantity)))),
  ])
}

function touched({ options: { sizes }, touched: all }: GrowthResults): string {
  const body = works.map((work) => {
    const indices = all[sizes.at(-1) ?? 0]?.[work].indices ?? []
    const pages = sizes.map((size) => String(all[size]?.[work].pages ?? "–"))
    return [workNames[work], ...pages, indices.map((name) => `\`${name}\``).join(", ") || "–"]
  })
  return table(["Work", ...sizes.map(counted), "Indices that are read"], body)
}

function logged({ options: { sizes }, touched: all }: GrowthResults): string {
  const writing = works.filter((work) => (all[sizes[0] ?? 0]?.[work].log.again ?? 0) > 0)
  const body = writing.map((work) => [
    workNames[work],
    ...sizes.map((size) => {
      const { first = 0, again = 0 } = all[size]?.[work].log ?? {}
      return `${short(first / 1024)}, ${short(again / 1024)}`
    }),
  ])
  return table(["Work", ...sizes.map(counted)], body)
}

function room({ options: { sizes }, stored }: GrowthResults): string {
  const parts = stored[sizes[0] ?? 0] ?? []
  const body = parts.map(({ table, index }) => [
    index === null ? `\`${table}\`` : `… \`${index}\``,
    ...sizes.map((size) => {
      const part = stored[size]?.find((each) => each.table === table && each.index === index)
      const height = part?.height === null ? "" : ` (${part?.height})`
      return `${mebibytes(part?.bytes ?? 0)}${height}`
    }),
  ])
  return table(["", ...sizes.map((size) => `${counted(size)} sessions`)], body)
}

function pools({ pools: { rounds } }: GrowthResults): string {
  const body = Object.entries(rounds).map(([max, own]) => [
    max,
    (median(own.map(({ perSecond }) => perSecond)) / 1000).toFixed(1),
    (median(own.map(({ p95 }) => p95)) / 1000).toFixed(1),
  ])
  return table(["Connections", "Thousand checks a second", "95 of 100 faster than, in ms"], body)
}

function memory({ redis }: GrowthResults): string {
  const body = redis.map(({ sessions, user, session, sessionApart }) => [
    counted(sessions),
    ...[user, session, sessionApart].map(String),
  ])
  const header = [
    "Sessions",
    "A person with an account",
    "A session",
    "A session in `RedisSessions`",
  ]
  return table(header, body)
}

function table(header: readonly string[], body: readonly (readonly string[])[]): string {
  const align = header.map((_, column) => (column === 0 ? "---" : "--:"))
  return [header, align, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** 1000000 as 10⁶ where it is such a number. */
function counted(count: number): string {
  const power = Math.log10(count)
  if (!Number.isInteger(power)) return String(count)
  return `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`
}

function mebibytes(bytes: number): string {
  const value = bytes / 2 ** 20
  return value >= 10 ? value.toFixed(0) : value.toFixed(1)
}

function short(value: number): string {
  return value >= 20 ? value.toFixed(0) : value.toFixed(1)
}
