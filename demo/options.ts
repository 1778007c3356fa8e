/** Parses the command line. */
import { join } from "node:path"
import { parseArgs } from "node:util"

export interface DemoOptions {
  /** Port of the application. The demo also uses the next three. */
  readonly port: number
  /** Folder for persistent data. */
  readonly data: string
}

export const usage = `Usage: npm run demo -- [--port N] [--data FOLDER]

  --port N        port of the application (3000); N+1, N+2 and N+3 are also used
  --data FOLDER   where users, sessions and keys are stored (demo/.data)
  --help          prints this text`

/** The command line is invalid. */
export class UsageError extends Error {
  override name = "UsageError"
}

const maxPort = 65_535 - 3

/**
 * Parses the command line. Returns undefined for `--help`.
 *
 * @throws UsageError
 */
export function readOptions(args: readonly string[]): DemoOptions | undefined {
  const { port, data, help } = parseValues(args)
  if (help) return undefined
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0
  if (number < 1 || number > maxPort) {
    throw new UsageError(`--port must be a number from 1 to ${maxPort}, not "${port}".`)
  }
  return { port: number, data: data ?? join(import.meta.dirname, ".data") }
}

function parseValues(args: readonly string[]): { port: string; data?: string; help?: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "3000" },
        data: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    })
    return values
  } catch (cause) {
    const [sentence = ""] = String(cause instanceof Error ? cause.message : cause).split(". ")
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`, { cause })
  }
}
