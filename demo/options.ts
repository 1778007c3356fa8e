/** What the command line says. */
import { join } from "node:path"
import { parseArgs } from "node:util"

/** How to run the demo. */
export interface DemoOptions {
  /** Port of the application; the three after it are used, too. */
  readonly port: number
  /** Folder that outlives a run. */
  readonly data: string
}

/** How the demo is called. */
export const usage = `Usage: npm run demo -- [--port N] [--data FOLDER]

  --port N        port of the application (3000); N+1, N+2 and N+3 are used, too
  --data FOLDER   where users, sessions and keys are kept (demo/.data)
  --help          shows this`

/** The command line cannot be understood. */
export class UsageError extends Error {
  override name = "UsageError"
}

const maxPort = 65_535 - 3

/**
 * Reads the command line; undefined when only help is asked for.
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
