import { redactSecrets } from "../redact-secrets.ts"

/** A result of the doctor, and how to fix it. */
export interface Finding {
  /** Errors prevent sign-ins or endanger them; warnings may be intended. */
  readonly level: "error" | "warning" | "good" | "skipped"
  /** Stable name: the type of an error of the library, or a name that only the doctor uses. */
  readonly code: string
  /** Describes the finding. */
  readonly what: string
  /** Describes the change that fixes it. */
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

export function joinNames(words: readonly string[]): string {
  return words.join(", ")
}

/** Describes an error and its causes on one line: codes and messages, without the secrets that drivers put into them. */
export function describeError(error: unknown): string {
  return redactSecrets(joinMessages(error), process.env)
}

function joinMessages(error: unknown, depth = 4): string {
  if (!(error instanceof Error)) return String(error)
  const code: unknown = "code" in error ? error.code : undefined
  const summary = [typeof code === "string" ? code : "", error.message].filter(Boolean).join(" ")
  if (error.cause === undefined || depth === 0) return summary
  return [summary, joinMessages(error.cause, depth - 1)].filter(Boolean).join(" ← ")
}
