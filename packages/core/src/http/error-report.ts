/** Reports on failed requests for the developer: what was expected, what was received, and how to fix it. */

import type { ErrorReportStep } from "@latchkey/pages"

/** Records what a request goes through. Exists only in development and while debugging. */
export class ErrorReportRecorder {
  readonly steps: ErrorReportStep[] = []
  /** Values that the report must not contain; anything but text is ignored. */
  readonly secrets: unknown[] = []

  record(name: string, received: string, isAsExpected?: boolean, expected?: string): void {
    this.steps.push({ name, received, isAsExpected, expected })
  }
}

/** Describes a secret value without revealing it. */
export function describeShape(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none"
  return typeof value === "string" ? `${value.length} characters` : `a ${typeof value}`
}
