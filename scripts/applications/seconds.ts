/** Where the time of a test run goes: seconds for each application and kind of work, printed at its end. */

const openKinds: string[] = []
const totals = new Map<string, number>()
let lastChange = performance.now()

/** Starts to count time as this kind of work, until {@link stopCounting}. Time of inner kinds counts only there. */
export function startCounting(kind: string): void {
  addElapsed()
  openKinds.push(kind)
}

/** Goes on with the kind of work before. */
export function stopCounting(): void {
  addElapsed()
  openKinds.pop()
}

/** Counts the time that a function takes as this kind of work. */
export async function countSeconds<Result>(
  kind: string,
  run: () => Promise<Result>,
): Promise<Result> {
  startCounting(kind)
  try {
    return await run()
  } finally {
    stopCounting()
  }
}

/** Returns the seconds of each kind, such as `seconds: Qwik 2: 61 (build 12, pages 9)`, and starts again at 0. */
export function formatSeconds(title: string): string {
  const kinds = [...totals].sort(([, a], [, b]) => b - a)
  totals.clear()
  const round = (milliseconds: number) => Math.round(milliseconds / 1000)
  const sum = round(kinds.reduce((total, [, milliseconds]) => total + milliseconds, 0))
  const parts = kinds.map(([kind, milliseconds]) => `${kind} ${round(milliseconds)}`)
  return `seconds: ${title}: ${sum} (${parts.join(", ")})`
}

function addElapsed(): void {
  const now = performance.now()
  const kind = openKinds.at(-1)
  if (kind !== undefined) totals.set(kind, (totals.get(kind) ?? 0) + now - lastChange)
  lastChange = now
}
