/** A report on a failed request, for the developer. */

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
