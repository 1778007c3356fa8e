/** What was looked at while a request was answered: for the developer, when something failed. */

/** One thing that was looked at. The texts hold no secret: they describe it. */
export interface TraceStep {
  /** What was looked at, in a few words. */
  readonly name: string
  readonly expected?: string
  readonly came?: string
  /** What to change. */
  readonly hint?: string
  /** Whether it was as expected; absent where nothing was compared. */
  readonly fits?: boolean
}

/** Takes notes of one request. */
export interface Trace {
  /** Nobody will read it: whoever takes long to find words for a note can save the work. */
  readonly on: boolean
  note(step: TraceStep): void
  /** Values that must not appear in any text, whoever wrote it: tokens, codes, what was typed. */
  hide(...values: readonly unknown[]): void
  readonly steps: readonly TraceStep[]
  readonly hidden: readonly string[]
}

/** Most notes of a request. */
const mostSteps = 60

/** The trace of requests that nobody looks at. */
export const noTrace: Trace = { on: false, note() {}, hide() {}, steps: [], hidden: [] }

export function createTrace(): Trace {
  const steps: TraceStep[] = []
  const hidden: string[] = []
  return {
    on: true,
    note(step) {
      if (steps.length < mostSteps) steps.push(step)
    },
    hide(...values) {
      hidden.push(...values.filter((value): value is string => typeof value === "string"))
    },
    steps,
    hidden,
  }
}

/** A text that is not to be shown, as what it looks like. */
export function shapeOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none"
  return typeof value === "string" ? `${value.length} characters` : `a ${typeof value}`
}

/** Two texts that are not to be shown, compared; the second one as what it looks like. */
export function comparedShape(expected: unknown, came: unknown): Omit<TraceStep, "name"> {
  const fits = expected === came
  const shape = shapeOf(came)
  const other = shape === "none" ? "none" : `another one, of ${shape}`
  return { expected: shapeOf(expected), came: fits ? "the same" : other, fits }
}

/** The page of a failure, as a developer reads it: all texts are free of secrets. */
export interface TraceReport {
  /** Stable name of the error. */
  readonly type: string
  readonly message: string
  /** What to change; empty when nobody knows. */
  readonly hint: string
  /** Where the documentation tells more; empty for what is no error of the library. */
  readonly docs: string
  /** The errors behind it, outermost first. */
  readonly causes: readonly string[]
  /** Of the steps. */
  readonly heading: string
  readonly steps: readonly TraceStep[]
}
