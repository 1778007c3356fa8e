/** `latchkey init`: adds sign-in to an application, or creates an application with it. */
import { mkdirSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import type { InitCommand } from "../command-options.ts"
import { createProjectFile, replaceProjectFile } from "../move/project-files.ts"
import { findPackageManager, installPackages, isInWorkspace } from "../package-manager.ts"
import { addVariable } from "../secret/env-file.ts"
import { findGitTreatment, generateSecret } from "../secret/secret.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { type Framework, findFramework, frameworks } from "./framework.ts"
import { createPlan, type Plan } from "./plan.ts"
import { assertSupported, holdsOtherFiles, type Project, readProject } from "./project.ts"
import { formatConflicts, formatNextSteps, formatPlan } from "./report.ts"

const trackedSecretWarning =
  "Git does not ignore .env, which contains the secret. Before the next commit, run git rm --cached .env, or correct .gitignore."

/**
 * Prints the files, and writes them with `--yes` or if the user agrees.
 *
 * @throws CommandError if the application cannot be set up, or a file cannot be written
 */
export async function runInitCommand(
  command: InitCommand,
  terminal: Terminal,
  workingFolder: string,
): Promise<number> {
  const name = command.folder ?? (await chooseFolder(workingFolder, terminal))
  if (name === undefined) {
    terminal.out("Nothing was written.")
    return 0
  }
  const folder = resolve(workingFolder, name)
  const project = readProject(folder)
  const framework = await chooseFramework(project, command, terminal)
  if (!framework) {
    terminal.out(
      `Nothing was written. Choose a framework with --framework: ${listNames(frameworks)}.`,
    )
    return 0
  }
  const nodeVersion = process.versions.node
  assertSupported(project, framework, nodeVersion)
  const packageManager = await findPackageManager(folder)
  const options = {
    nodeVersion,
    packageManager,
    isInWorkspace: isInWorkspace(folder),
    tarballs: command.packages,
  }
  const plan = createPlan(project, framework, options)
  const conflicts = formatConflicts(plan)
  if (plan.files.length === 0 && !plan.addsSecret) {
    terminal.out(conflicts || `Nothing to do: Latchkey for ${framework.title} is set up here.`)
    return 0
  }
  terminal.out(formatPlan(plan, framework))
  if (conflicts !== "") terminal.out(conflicts)
  const question = `Write this${command.install ? ` and run ${packageManager} install` : ""}?`
  if (!(command.yes || (await terminal.confirm?.(question, project.isEmpty)))) {
    terminal.out("\nNothing was written. With --yes, the command writes these files.")
    return 0
  }
  writePlan(folder, plan)
  if (plan.addsSecret && findGitTreatment(".env", folder) === "visible")
    terminal.err(trackedSecretWarning)
  if (command.install) installPackages(packageManager, folder)
  const steps = { framework, plan, packageManager, isInstalled: command.install }
  const path = relative(workingFolder, folder).split(sep).join("/")
  terminal.out(formatNextSteps(project, path, steps))
  return 0
}

/** Takes the current folder, or asks for a new one if other things are in it; undefined if the user named none. */
async function chooseFolder(folder: string, { ask }: Terminal): Promise<string | undefined> {
  if (!ask || !holdsOtherFiles(folder)) return "."
  return ask("Folder of the new application?", "my-app")
}

/**
 * Takes the framework that the project has, the one of the command line, or asks.
 *
 * @returns undefined if the user chose none
 * @throws CommandError if nobody can be asked
 */
async function chooseFramework(
  { frameworks: found }: Project,
  { framework }: InitCommand,
  terminal: Terminal,
): Promise<Framework | undefined> {
  const choices = found.length > 0 ? found : frameworks
  const wanted = findFramework(framework)
  if (wanted) {
    if (choices.includes(wanted)) return wanted
    const titles = found.map(({ title }) => title).join(" and ")
    throw new CommandError(`This application uses ${titles}, not ${wanted.title}.`)
  }
  const [only, ...others] = choices
  if (only && others.length === 0 && found.length > 0) return only
  if (!terminal.choose)
    throw new CommandError(`Choose a framework with --framework: ${listNames(choices)}.`)
  const titles = choices.map(({ title }) => title)
  const index = await terminal.choose("Which framework?", titles)
  return index === undefined ? undefined : choices[index]
}

const listNames = (choices: readonly Framework[]): string =>
  choices.map(({ name }) => name).join(", ")

/** Writes `package.json` last: without it, the next run begins again. */
function writePlan(folder: string, { files, addsSecret }: Plan): void {
  mkdirSync(folder, { recursive: true })
  if (addsSecret) addVariable(join(folder, ".env"), "AUTH_SECRET", generateSecret())
  for (const { path, text, exists } of files)
    (exists ? replaceProjectFile : createProjectFile)(folder, path, text)
}
