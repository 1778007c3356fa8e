/** Runs commands of the workflow that releases, as GitHub does, so that the rehearsal and the release cannot differ. */
import { readFileSync } from "node:fs"
import type { RunOptions } from "../applications/command.ts"
import { runProgram } from "../applications/command.ts"

/** Builds the tarballs of a release in the repository in a folder. */
export async function packRelease(cwd: string): Promise<void> {
  for (const command of [/^mkdir /, /^npm pack /]) await runShell(findCommand(command), { cwd })
}

/** Runs the step that stages the tarballs of a version, which are in a folder, and returns its output. */
export function stageTarballs(version: string, { cwd, env }: RunOptions): Promise<string> {
  const script = readScript("Stage each package that an earlier run has not staged")
  return runShell(script, { cwd, env: { ...env, GITHUB_REF_NAME: `v${version}` } })
}

function runShell(script: string, options: RunOptions): Promise<string> {
  return runProgram("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], options)
}

/** Returns a step with one line. @throws Error if the workflow has no such step */
function findCommand(pattern: RegExp): string {
  const commands = [...readWorkflow().matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command)
  const found = commands.find((command = "") => pattern.test(command))
  if (!found) throw new Error(`release.yml has no command ${pattern}.`)
  return found
}

/** Returns the shell script of a step. @throws Error if the workflow has no such step */
function readScript(step: string): string {
  const [, lines = ""] = readWorkflow().split(`- name: ${step}\n`)
  const [, indent = "", script] = /^( +)run: \|\n((?:\1 {2}.*\n|\n)+)/m.exec(lines) ?? []
  if (!script) throw new Error(`release.yml has no script in a step "${step}".`)
  return script.replaceAll(new RegExp(`^${indent}  `, "gm"), "")
}

function readWorkflow(): string {
  return readFileSync(".github/workflows/release.yml", "utf8")
}
