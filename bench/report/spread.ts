/** Renders how far the ratios of the rounds differ, on an idle machine and on a busy one. */
import { httpWorkloads, inProcessWorkloads } from "../busy/workloads.ts"
import { libraryNames } from "../libraries/library-names.ts"
import { type WorkloadId, workloadTitles } from "../workloads/workload.ts"
import { formatNumber } from "./format-number.ts"
import { renderMachine } from "./machine.ts"
import { renderTable } from "./markdown.ts"
import type { BenchResults, BusyResults } from "./results.ts"
import { computeRatios, computeSpread, type Quantity } from "./statistics.ts"

type Results = Pick<BenchResults, "process" | "http">
type ComparedId = "reference" | "passport"

/** Renders a section of docs/performance.md. */
export function renderSpread(idle: BenchResults, busy: BusyResults | undefined): string {
  const { date, processors, processor } = idle.machine
  const machine = busy
    ? `The idle machine: ${processors} × ${processor}, ${date}. The busy machine also ran ${busy.processCount} processes that sort numbers. ${renderMachine(busy.machine)}`
    : "Not measured on a busy machine."
  return [
    machine,
    `In process, compared with ${libraryNames.reference}:`,
    renderTable(
      ["Work", "Idle: time", "Idle: processor time", "Busy: time", "Busy: processor time"],
      inProcessWorkloads.map((work) => [
        workloadTitles[work],
        ...(["time", "cpu"] as const).map((quantity) =>
          renderCell(idle, "process", work, "reference", quantity),
        ),
        ...(["time", "cpu"] as const).map((quantity) =>
          renderCell(busy, "process", work, "reference", quantity),
        ),
      ]),
    ),
    `Over HTTP, processor time of the server:`,
    renderTable(
      ["Work", ...["Idle", "Busy"].flatMap((state) => [`${state}: Auth.js`, `${state}: Passport`])],
      httpWorkloads.map((work) => [
        workloadTitles[work],
        ...[idle, busy].flatMap((results) =>
          (["reference", "passport"] as const).map((id) =>
            renderCell(results, "http", work, id, "cpu"),
          ),
        ),
      ]),
    ),
  ].join("\n\n")
}

/** Median, lowest and highest round: how many times as long as Latchkey. */
function renderCell(
  results: Results | undefined,
  transport: keyof Results,
  work: WorkloadId,
  id: ComparedId,
  quantity: Quantity,
): string {
  const { [id]: measurements, latchkey } = results?.[transport].rounds[work] ?? {}
  if (!measurements || !latchkey) return "–"
  const spread = computeSpread(computeRatios(measurements, latchkey, quantity))
  const format = (ratio: number) => (ratio < 10 ? ratio.toFixed(1) : formatNumber(ratio))
  return `${format(spread.median)} × (${format(spread.lowest)}–${format(spread.highest)})`
}
