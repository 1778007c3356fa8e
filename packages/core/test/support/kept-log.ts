/** A logger that keeps what it is told. */
import type { LoggerInstance } from "@latchkey/core/types"

export interface KeptLog {
  readonly logger: LoggerInstance
  /** The codes of the errors, in order. */
  readonly errors: string[]
  /** The codes of the warnings, in order. */
  readonly warnings: string[]
  /** Every line of every level: level, code, message. */
  readonly lines: unknown[][]
}

export function keptLog(): KeptLog {
  const errors: string[] = []
  const warnings: string[] = []
  const lines: unknown[][] = []
  return {
    errors,
    warnings,
    lines,
    logger: {
      error(code, ...message) {
        errors.push(code)
        lines.push(["error", code, ...message])
      },
      warn(code, ...message) {
        warnings.push(code)
        lines.push(["warn", code, ...message])
      },
      debug: (code, ...message) => void lines.push(["debug", code, ...message]),
    },
  }
}
