/** Follows a quick start as a reader does, in an empty folder. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseEnv } from "node:util"
import type { Environment } from "../catalogue.ts"
import { type RunningProgram, runProgram, startProgram, stopProgram } from "../command.ts"
import type { QuickStartStep } from "./quick-start.ts"
import { copyStarterFiles } from "./starters.ts"

export interface QuickStartOptions {
  /** The empty folder in which the reader starts. */
  readonly folder: string
  /** The variables of all commands. */
  readonly env: Environment
  /** The variables that the reader adds to `.env`. */
  readonly values: Environment
  /** The port of servers that a variable tells theirs; the page says 3000. */
  readonly port: number
  /** Uses each server that the page starts. It is stopped afterwards. */
  readonly useServer: (server: RunningProgram) => Promise<void>
}

/** Follows the steps in order. */
export async function runQuickStart(
  steps: readonly QuickStartStep[],
  options: QuickStartOptions,
): Promise<void> {
  // npx asks before it downloads a program.
  const env = { ...options.env, PORT: String(options.port), npm_config_yes: "true" }
  let { folder } = options
  const runCommands = async (commands: readonly string[]) => {
    for (const command of commands) folder = await runCommand(command, folder, env)
  }
  for (const step of steps) {
    if (step.type === "write") writeFile(join(folder, step.path), step.content)
    if (step.type === "append") appendVariables(join(folder, step.path), step.content, options)
    if (step.type === "run") await runCommands(step.commands)
    if (step.type !== "start") continue
    await runCommands(step.commands)
    const command = step.server.replaceAll("localhost:3000", `localhost:${options.port}`)
    const server = startProgram("sh", ["-c", command], { cwd: folder, env })
    try {
      await options.useServer(server)
    } finally {
      await stopProgram(server)
    }
  }
}

/** Runs a command, and returns the folder in which the next one runs. */
async function runCommand(command: string, folder: string, env: Environment): Promise<string> {
  const target = /^cd (\S+)$/.exec(command)?.[1]
  if (target !== undefined) return join(folder, target)
  await runProgram("sh", ["-c", command], { cwd: folder, env }).catch((error: unknown) =>
    copyStarterFiles(command, folder, error),
  )
  return folder
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/**
 * Adds variables with the reader's values.
 *
 * @throws Error if the page names one without a value
 */
function appendVariables(path: string, content: string, { values }: QuickStartOptions): void {
  const missingNames = Object.keys(parseEnv(content)).filter((name) => !(name in values))
  if (missingNames.length > 0) throw new Error(`Nobody has a value for ${missingNames.join(", ")}.`)
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  appendFileSync(path, lines.join(""))
}
