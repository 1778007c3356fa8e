/** A logger that records its calls. */
import type { LoggerInstance } from "@latchkey/core/types"

export interface MemoryLog {
  readonly logger: LoggerInstance
  /** The codes of the errors, in order. */
  readonly errorCodes: string[]
  /** The codes of the warnings, in order. */
  readonly warningCodes: string[]
  /** Every line of every level: level, code, message. */
  readonly lines: unknown[][]
}

export function createMemoryLog(): MemoryLog {
  const errorCodes: string[] = []
  const warningCodes: string[] = []
  const lines: unknown[][] = []
  return {
    errorCodes,
    warningCodes,
    lines,
    logger: {
      error(code, ...message) {
        errorCodes.push(code)
        lines.push(["error", code, ...message])
      },
      warn(code, ...message) {
        warningCodes.push(code)
        lines.push(["warn", code, ...message])
      },
      debug: (code, ...message) => void lines.push(["debug", code, ...message]),
    },
  }
}
