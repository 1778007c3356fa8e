/** What the doctor found. */

/** One thing, and what to do about it. */
export interface Finding {
  /** Errors keep people from signing in, or let the wrong ones in; warnings may be meant. */
  readonly level: "error" | "warning" | "good" | "skipped"
  /** Stable name: the type of an error of the library, or a name of the doctor's own. */
  readonly code: string
  /** What was found, and where. */
  readonly what: string
  /** What to change. */
  readonly fix?: string
}

export function createErrorFinding(code: string, what: string, fix: string): Finding {
  return { level: "error", code, what, fix }
}

export function createWarningFinding(code: string, what: string, fix: string): Finding {
  return { level: "warning", code, what, fix }
}

export function createGoodFinding(code: string, what: string): Finding {
  return { level: "good", code, what }
}

export function createSkippedFinding(code: string, what: string, fix: string): Finding {
  return { level: "skipped", code, what, fix }
}

/** A list as a sentence has it. */
export function joinNames(words: readonly string[]): string {
  return words.join(", ")
}

/** An error and its causes, without values: names, codes and messages, on one line. */
export function describeError(error: unknown, depth = 4): string {
  if (!(error instanceof Error)) return String(error)
  const code: unknown = "code" in error ? error.code : undefined
  const summary = [typeof code === "string" ? code : "", error.message].filter(Boolean).join(" ")
  if (error.cause === undefined || depth === 0) return summary
  return [summary, describeError(error.cause, depth - 1)].filter(Boolean).join(" ← ")
}
