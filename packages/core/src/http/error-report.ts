/** What was looked at while a request was answered: for the developer, when something failed. */

/** One thing that was looked at. The texts hold no secret: they describe it. */
export interface ErrorReportStep {
  /** What was looked at, in a few words. */
  readonly name: string
  readonly expected?: string
  readonly received?: string
  /** What to change. */
  readonly hint?: string
  /** Whether it was as expected; absent where nothing was compared. */
  readonly isAsExpected?: boolean
}

/** Takes notes of one request. */
export interface ErrorReportRecorder {
  /** Nobody will read it: whoever takes long to find words for a note can save the work. */
  readonly isEnabled: boolean
  recordStep(step: ErrorReportStep): void
  /** Values that must not appear in any text, whoever wrote it: tokens, codes, what was typed. */
  redactValues(...values: readonly unknown[]): void
  readonly steps: readonly ErrorReportStep[]
  readonly redactedValues: readonly string[]
}

/** Most notes of a request. */
const maxSteps = 60

/** The trace of requests that nobody looks at. */
export const disabledReportRecorder: ErrorReportRecorder = {
  isEnabled: false,
  recordStep() {},
  redactValues() {},
  steps: [],
  redactedValues: [],
}

export function createReportRecorder(): ErrorReportRecorder {
  const steps: ErrorReportStep[] = []
  const redactedValues: string[] = []
  return {
    isEnabled: true,
    recordStep(step) {
      if (steps.length < maxSteps) steps.push(step)
    },
    redactValues(...values) {
      redactedValues.push(...values.filter((value): value is string => typeof value === "string"))
    },
    steps,
    redactedValues,
  }
}

/** A text that is not to be shown, as what it looks like. */
export function describeShape(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none"
  return typeof value === "string" ? `${value.length} characters` : `a ${typeof value}`
}

/** Two texts that are not to be shown, compared; the second one as what it looks like. */
export function compareShapes(expected: unknown, received: unknown): Omit<ErrorReportStep, "name"> {
  const fits = expected === received
  const shape = describeShape(received)
  const other = shape === "none" ? "none" : `another one, of ${shape}`
  return {
    expected: describeShape(expected),
    received: fits ? "the same" : other,
    isAsExpected: fits,
  }
}

/** The page of a failure, as a developer reads it: all texts are free of secrets. */
export interface ErrorReport {
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
  readonly steps: readonly ErrorReportStep[]
}
