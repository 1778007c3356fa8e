/** Finds which functions allocate the bytes of an operation. */
import type { HeapProfiler } from "node:inspector"
import { Session } from "node:inspector/promises"
import type { OpenWorkload } from "./open-workloads.ts"
import { isInRepository, toRelativePath } from "./repository-path.ts"
import { runOperation, warmUp } from "./run-operation.ts"

const runs = 400

/** Also objects that are gone at the end, which most are. One sample for 256 bytes, on average. */
const samplingOptions = {
  samplingInterval: 256,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
}

/** Returns the bytes of one operation by function of the repository, with those of what it calls elsewhere. */
export async function findAllocations(
  workload: OpenWorkload,
): Promise<Readonly<Record<string, number>>> {
  await warmUp(workload)
  const operations = await workload.createOperations(runs)
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", samplingOptions)
  for (const operation of operations) await runOperation(operation)
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  const bytes: Record<string, number> = {}
  addBytes(bytes, profile.head, "(elsewhere)")
  return Object.fromEntries(
    Object.entries(bytes).map(([place, total]) => [place, Math.round(total / runs)]),
  )
}

function addBytes(
  bytes: Record<string, number>,
  { callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode,
  caller: string,
): void {
  const { url, functionName, lineNumber } = callFrame
  const place = isInRepository(url)
    ? `${toRelativePath(url)}:${lineNumber + 1} ${functionName}`
    : caller
  bytes[place] = (bytes[place] ?? 0) + selfSize
  for (const child of children) addBytes(bytes, child, place)
}
