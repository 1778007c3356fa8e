/** Finds where the counts of an operation come from. */
import type { FigureId } from "./figures.ts"
import type { OpenWorkload } from "./open-workloads.ts"
import { isInRepository, toRelativePath } from "./repository-path.ts"
import { countRun, warmUp } from "./run-operation.ts"

/** How often each place in the code causes a count. */
export type Places = Readonly<Partial<Record<FigureId, PlaceCounts>>>

export type PlaceCounts = Readonly<Record<string, number>>

/** Frames between the code that is counted and the listener. */
const counterFrames =
  /node:internal\/(async_hooks|promise)|scripts\/budgets\/(counters|find-places)\.ts|^(new )?(Proxy|Promise) \(<anonymous>\)|^emitInit/

/** Returns the places of one operation. */
export async function findPlaces(workload: OpenWorkload): Promise<Places> {
  await warmUp(workload)
  const places: Partial<Record<FigureId, Record<string, number>>> = {}
  const [operation] = await workload.createOperations(1)
  if (!operation) throw new TypeError(`${workload.id} has no operation`)
  Error.stackTraceLimit = 100
  await countRun(operation, (figure, origin = new Error()) => {
    const place = describePlace(figure, origin.stack ?? "")
    places[figure] ??= {}
    places[figure][place] = (places[figure][place] ?? 0) + 1
  })
  return places
}

/**
 * Returns the innermost function of the repository for a promise, because most functions that wait have some. For
 * anything else: that line and those that called it, because many share a helper.
 */
function describePlace(figure: FigureId, stack: string): string {
  const frames = stack
    .split("\n")
    .slice(1)
    .map((line) => line.trim().replace(/^at (async )?/, ""))
    .filter((frame) => !counterFrames.test(frame))
  const own = frames.filter(isInRepository).map(describeFrame)
  if (own.length === 0) return describeFrame(frames[0] ?? "")
  return figure === "promises"
    ? (own[0] ?? "").replace(/:\d+/, "")
    : [...new Set(own)].slice(0, 4).join(" ← ")
}

/** Returns `path:line function`. */
function describeFrame(frame: string): string {
  const [, name = "", location = frame] = /^(?:(.*) \()?(.*?)\)?$/.exec(frame) ?? []
  const path = toRelativePath(location).replace(/:\d+$/, "")
  return name ? `${path} ${name}` : path
}
