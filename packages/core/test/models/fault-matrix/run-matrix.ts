/** Runs every flow with every fault of every call that it makes. */
import type { CallFault } from "./call-faults.ts"
import { fetchFaults, functionFaults } from "./call-faults.ts"
import { type Exception, exceptions } from "./exceptions.ts"
import type { SiteKind } from "./fault-site.ts"
import { type Flow, flows } from "./flows.ts"
import { findViolations, type Violation } from "./judge.ts"
import type { PlannedFault } from "./outgoing-calls.ts"
import { type FlowRun, runFlow } from "./run-flow.ts"
import { VirtualTime } from "./virtual-time.ts"

export interface MatrixResult {
  /** How many runs had a fault. */
  runs: number
  /** The names of the calls that failed. */
  readonly calls: Set<string>
  /** The functions of the configuration. */
  readonly functions: Set<string>
  readonly unexpected: string[]
  readonly usedExceptions: Set<Exception>
}

/** The kind whose sites differ from those of another only in a few calls. */
const siblings: Partial<Record<SiteKind, SiteKind>> = { codec: "jwt", plain: "database" }

/** Selects the faults of a call. The position counts the calls of all flows. */
export type SelectFaults = (
  name: string,
  faults: readonly CallFault[],
  position: number,
) => readonly CallFault[]

const start = Date.UTC(2030, 0, 1)

export async function runMatrix(
  kinds: readonly SiteKind[],
  select: SelectFaults,
): Promise<MatrixResult> {
  const time = new VirtualTime(start)
  const result: MatrixResult = {
    runs: 0,
    calls: new Set(),
    functions: new Set(),
    unexpected: [],
    usedExceptions: new Set(),
  }
  let position = 0
  const tested = new Set<string>()
  for (const kind of kinds) {
    for (const flow of flows.filter(({ kinds: only }) => !only || only.includes(kind))) {
      const run = (...planned: PlannedFault[]) => runFlow(flow, kind, time, start, planned)
      const clean = await run()
      for (const name of clean.functions) result.functions.add(name)
      for (const [index, name] of clean.calls.entries()) {
        position += 1
        tested.add(`${kind} ${flow.name} ${name}`)
        if (tested.has(`${siblings[kind]} ${flow.name} ${name}`)) continue
        for (const fault of select(name, listFaults(name), position))
          await runCase({ flow, kind, run, clean, result, select }, [{ index, fault }])
      }
    }
  }
  if (time.lateTimeouts > 0) result.unexpected.push(`${time.lateTimeouts} timeouts did not suffice`)
  return result
}

const listFaults = (name: string): readonly CallFault[] =>
  name.startsWith("fetch") ? fetchFaults : functionFaults

interface FlowCase {
  readonly flow: Flow
  readonly kind: SiteKind
  readonly run: (...planned: PlannedFault[]) => Promise<FlowRun>
  readonly clean: FlowRun
  readonly result: MatrixResult
  readonly select: SelectFaults
}

/** Runs one case, and then those in which a call fails that only handling the first fault makes. */
async function runCase(flowCase: FlowCase, planned: readonly PlannedFault[]): Promise<void> {
  const { flow, kind, clean, result, select } = flowCase
  result.runs += 1
  const [first, second] = planned
  if (!first) return
  const name = clean.calls[first.index] ?? ""
  result.calls.add(name)
  try {
    const run = await flowCase.run(...planned)
    const names = planned
      .map(({ index, fault }) => `${run.calls[index]} ${fault.name}`)
      .join(", then ")
    for (const violation of findViolations(run, clean)) {
      // What the second of two faults leaves behind is up to the application.
      if (second && (violation.kind === "rows" || violation.kind === "retry")) continue
      const called = planned.map(({ index }) => run.calls[index] ?? "")
      const isExpected = planned.some(({ fault }, i) =>
        findException(result, flow, called[i] ?? "", fault, violation),
      )
      if (!isExpected)
        result.unexpected.push(
          `${kind}, ${flow.name}: ${names}: ${violation.kind}: ${violation.detail}`,
        )
    }
    if (second || first.fault.name !== "rejects") return
    const known = new Set(clean.calls)
    for (const [index, called] of run.calls.entries()) {
      if (index <= first.index || known.has(called)) continue
      result.calls.add(called)
      const failures = listFaults(called).filter(({ name }) =>
        /^(throws|rejects|hangs)$/.test(name),
      )
      for (const fault of select(called, failures, result.runs))
        await runCase(flowCase, [first, { index, fault }])
    }
  } catch (error) {
    const faults = planned.map(({ index, fault }) => `call ${index} ${fault.name}`).join(", then ")
    result.unexpected.push(`${kind}, ${flow.name}: ${name}: ${faults}: ${error}`)
  }
}

function findException(
  { usedExceptions }: MatrixResult,
  flow: Flow,
  call: string,
  fault: CallFault,
  { kind, detail }: Violation,
): Exception | undefined {
  const exception = exceptions.find(
    ({ calls, faults, flows: only, kinds = ["goes on"], details }) =>
      calls.test(call) &&
      (faults?.test(fault.name) ?? true) &&
      (only?.test(flow.name) ?? true) &&
      kinds.includes(kind) &&
      (details?.test(detail) ?? true),
  )
  if (exception) usedExceptions.add(exception)
  return exception
}
