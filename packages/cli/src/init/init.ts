/** `latchkey init`: adds sign-in to an application, or creates an application with it. */
import { mkdirSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { createProjectFile, replaceProjectFile } from "../move/project-files.ts"
import {
  findCallingPackageManager,
  findPackageManager,
  installPackages,
} from "../package-manager.ts"
import type { InitCommand } from "../parse-command.ts"
import { addVariable } from "../secret/env-file.ts"
import { findGitTreatment, generateSecret } from "../secret/secret.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { type Framework, frameworks } from "./framework.ts"
import { createPlan, type Plan } from "./plan.ts"
import { assertSupported, type Project, readProject } from "./project.ts"
import { formatConflicts, formatNextSteps, formatNodeWarning, formatPlan } from "./report.ts"

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
  const folder = resolve(workingFolder, command.folder)
  const project = readProject(folder)
  const framework = await chooseFramework(project, command, terminal)
  if (!framework) {
    terminal.out(
      `Nothing was written. Choose a framework with --framework: ${listNames(frameworks)}.`,
    )
    return 0
  }
  assertSupported(project, framework)
  const plan = createPlan(project, framework, process.versions.node)
  const conflicts = formatConflicts(plan)
  if (plan.files.length === 0 && !plan.addsSecret) {
    terminal.out(conflicts || `Nothing to do: Latchkey for ${framework.title} is set up here.`)
    return 0
  }
  terminal.out(formatPlan(plan, framework))
  const warning = formatNodeWarning(project, framework, process.versions.node)
  if (warning !== undefined) terminal.err(warning)
  if (conflicts !== "") terminal.out(conflicts)
  const packageManager = findPackageManager(folder, findCallingPackageManager(process.env))
  const question = `\nWrite this${command.install ? ` and run ${packageManager} install` : ""}?`
  if (!(command.yes || (await terminal.confirm?.(question)))) {
    terminal.out("\nNothing was written. With --yes, the command writes these files.")
    return 0
  }
  writePlan(folder, plan)
  if (plan.addsSecret && findGitTreatment(".env", folder) === "visible")
    terminal.err(trackedSecretWarning)
  if (command.install) installPackages(packageManager, folder)
  const steps = { framework, plan, packageManager, isInstalled: command.install }
  terminal.out(formatNextSteps(project, relative(workingFolder, folder), steps))
  return 0
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
  if (framework) {
    if (choices.includes(framework)) return framework
    const titles = found.map(({ title }) => title).join(" and ")
    throw new CommandError(`This application uses ${titles}, not ${framework.title}.`)
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
