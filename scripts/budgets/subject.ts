/**
 * Measures one operation of each workload, or of one: `subject.ts counts`, `subject.ts bytes`, `subject.ts places w5`.
 * Prints JSON. A process does only one of them, because counting allocates.
 */
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startProvider } from "../../bench/provider.ts"
import { countOperation } from "./count-operation.ts"
import { installCounters } from "./counters.ts"
import { findAllocations } from "./find-allocations.ts"
import { findPlaces } from "./find-places.ts"
import { measureBytes } from "./measure-bytes.ts"
import type { OpenWorkload } from "./open-workloads.ts"

const kinds: Readonly<Record<string, (workload: OpenWorkload) => Promise<unknown>>> = {
  counts: countOperation,
  bytes: measureBytes,
  places: findPlaces,
  allocations: findAllocations,
}

const [, , kind = "", onlyId] = process.argv
const measure = kinds[kind]
if (!measure) throw new TypeError(`Nothing is measured as ${JSON.stringify(kind)}`)
const folder = await mkdtemp(join(tmpdir(), "latchkey-budgets-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

globalThis.fetch = startProvider().fetch
if (kind === "counts" || kind === "places") installCounters()
// Imported after that, so that it finds the functions that count.
const { openWorkloads } = await import("./open-workloads.ts")

const results: Record<string, unknown> = {}
for (const workload of await openWorkloads(folder))
  if (onlyId === undefined || workload.id === onlyId) results[workload.id] = await measure(workload)
console.log(JSON.stringify(results))
