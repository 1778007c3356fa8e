/** Reports on failed requests for the developer: what was expected, what was received, and how to fix it. */

/** One thing that was checked. Its texts describe secrets and never contain them. */
export interface ErrorReportStep {
  readonly name: string
  readonly received: string | undefined
  /** Undefined when nothing was compared. */
  readonly isAsExpected?: boolean | undefined
  readonly expected?: string | undefined
  /** How to fix it. */
  readonly hint?: string
}

/** Records what a request goes through. Exists only in development and while debugging. */
export class ErrorReportRecorder {
  readonly steps: ErrorReportStep[] = []
  /** Values that the report must not contain; anything but text is ignored. */
  readonly secrets: unknown[] = []

  record(name: string, received: string, isAsExpected?: boolean, expected?: string): void {
    this.steps.push({ name, received, isAsExpected, expected })
  }
}

/** A report whose texts are free of secrets. */
export interface ErrorReport {
  /** Stable name of the error. */
  readonly type: string
  readonly message: string
  /** How to fix it; empty when unknown. */
  readonly hint: string
  /** The section of the documentation; empty for errors of other libraries. */
  readonly docs: string
  /** The errors behind this one, outermost first. */
  readonly causes: readonly string[]
  /** Heading of the steps. */
  readonly heading: string
  readonly steps: readonly ErrorReportStep[]
}

/** Describes a secret value without revealing it. */
export function describeShape(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none"
  return typeof value === "string" ? `${value.length} characters` : `a ${typeof value}`
}
