/** Follows a quick start as a reader does, in an empty folder. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseEnv } from "node:util"
import type { Environment } from "../catalogue.ts"
import { type RunningProgram, runProgram, startProgram, stopProgram } from "../command.ts"
import { countSeconds } from "../seconds.ts"
import type { QuickStartStep } from "./quick-start.ts"
import { copyStarterFiles } from "./starters.ts"

export interface QuickStartOptions {
  /** The empty folder in which the reader starts. */
  readonly folder: string
  /** The variables of all commands. */
  readonly env: Environment
  /** The variables that the reader adds to `.env`. */
  readonly values: Environment
  /** Returns the command that the reader runs instead of one for npm. By default, the same one. */
  readonly translate?: (command: string) => string
  /** The port of servers that a variable tells theirs; the page says the usual one. */
  readonly port: number
  /** Uses each server that the page starts, and returns its origin. It runs until the next one starts. */
  readonly useServer: (server: RunningProgram) => Promise<string>
}

/** Follows the steps in order. Commands after a server run beside it. */
export async function runQuickStart(
  steps: readonly QuickStartStep[],
  options: QuickStartOptions,
): Promise<void> {
  // npx asks before it downloads a program.
  const env = { ...options.env, PORT: String(options.port), npm_config_yes: "true" }
  const { translate = (command) => command } = options
  let { folder } = options
  let server: RunningProgram | undefined
  let origin: string | undefined
  const runCommands = async (commands: readonly string[]) => {
    for (const command of commands) {
      // The server may have found its usual port in use.
      const located = command.replace(/--online$/, `--online --url ${origin}`)
      folder = await runCommand(translate(located), folder, env).catch((error: unknown) =>
        copyStarterFiles(located, folder, error),
      )
    }
  }
  try {
    for (const step of steps) {
      if (step.type === "write") writeFile(join(folder, step.path), step.content)
      if (step.type === "append") appendVariables(join(folder, step.path), step.content, options)
      if (step.type === "run") await runCommands(step.commands)
      if (step.type !== "start") continue
      if (server) await stopProgram(server)
      server = undefined
      await runCommands(step.commands)
      const command = step.server.replace(/localhost:\d+/g, `localhost:${options.port}`)
      server = startProgram("sh", ["-c", translate(command)], { cwd: folder, env })
      origin = await options.useServer(server)
    }
  } finally {
    if (server) await stopProgram(server)
  }
}

/** Runs a command, and returns the folder in which the next one runs. */
async function runCommand(command: string, folder: string, env: Environment): Promise<string> {
  const target = /^cd (\S+)$/.exec(command)?.[1]
  if (target !== undefined) return join(folder, target)
  await countSeconds("commands", () => runProgram("sh", ["-c", command], { cwd: folder, env }))
  return folder
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/**
 * Adds variables as they are printed, or those that the page leaves empty with the reader's values.
 *
 * @throws Error if nobody has a value for one
 */
function appendVariables(path: string, content: string, { values }: QuickStartOptions): void {
  const printed = Object.entries(parseEnv(content))
  if (printed.every(([, value]) => value !== "")) {
    appendFileSync(path, `${content}\n`)
    return
  }
  const missingNames = printed.map(([name]) => name).filter((name) => !(name in values))
  if (missingNames.length > 0) throw new Error(`Nobody has a value for ${missingNames.join(", ")}.`)
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  appendFileSync(path, lines.join(""))
}
