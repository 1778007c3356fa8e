/** `latchkey move`: moves a project from Auth.js to Latchkey. */
import type { MoveCommand } from "../command-options.ts"
import type { Terminal } from "../terminal.ts"
import { findExportedConfig } from "./find-config.ts"
import { checkMovedProject } from "./install.ts"
import { readReplaceableProviders } from "./modules.ts"
import { moveProject } from "./move-project.ts"
import {
  createProjectFile,
  findProjectFiles,
  hasUncommittedChanges,
  readProjectFile,
  replaceProjectFile,
} from "./project-files.ts"
import { formatAdvice, formatDiffs } from "./report.ts"
import { loadTypeScript } from "./typescript.ts"
import { readPackageVersions } from "./versions.ts"

/**
 * Prints the changes, and writes them with `--yes` or if the user agrees.
 *
 * @throws CommandError if no parser is installed, or a file cannot be written
 */
export async function runMoveCommand(
  command: MoveCommand,
  terminal: Terminal,
  folder: string,
): Promise<number> {
  const ts = loadTypeScript(folder, { terminal })
  const paths = findProjectFiles(folder)
  const files = paths.map((path) => readProjectFile(folder, path))
  const isQwik2 = files.some(({ text }) => text.includes('"@qwik.dev/core":'))
  const qwikModule = isQwik2 ? "@qwik.dev/core" : "@builder.io/qwik"
  const tools = { ts, replaceableProviders: readReplaceableProviders(), qwikModule } as const
  const moves = moveProject(files, tools, readPackageVersions(folder))
  const changes = moves.filter(({ text, after }) => text !== after)
  const advice = formatAdvice(moves)
  if (changes.length > 0) terminal.out(formatDiffs(changes))
  if (advice !== "") terminal.out(advice)
  if (changes.length === 0) {
    terminal.out(`Nothing to change in ${formatCount(paths.length)}.`)
    return 0
  }
  if (hasUncommittedChanges(folder))
    terminal.err("The project has uncommitted changes. Commit them first to be able to undo this.")
  if (!(command.yes || (await terminal.confirm?.(`Change ${formatCount(changes.length)}?`)))) {
    terminal.out("\nNothing was written. With --yes, the command writes these changes.")
    return 0
  }
  for (const { path, after, isNew } of changes)
    (isNew ? createProjectFile : replaceProjectFile)(folder, path, after)
  terminal.out(`\nChanged ${formatCount(changes.length)}.`)
  const needsUpdate = moves.some((move) => move.needsUpdate)
  const config = findExportedConfig(ts, changes)
  return checkMovedProject(command, terminal, { folder, needsUpdate, config })
}

function formatCount(files: number): string {
  return `${files} file${files === 1 ? "" : "s"}`
}
