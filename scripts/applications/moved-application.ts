/** Applications that were written for Auth.js, after `latchkey move`. */
import { existsSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { buildApplication, collectExampleFiles, linkDependencies } from "./build-application.ts"
import type { Application, ApplicationAddress } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { collectFiles, type FileMap, writeFiles } from "./overlay-files.ts"

/** A moved and built application. */
export interface MovedApplication {
  readonly folder: string
  /** The output of the command. */
  readonly output: string
  /** The output of a second run. */
  readonly secondOutput: string
}

/** Moves and builds the application of `compat/move`, with the packages that the example has installed. */
export async function buildMovedApplication(
  application: Application,
  address: ApplicationAddress,
): Promise<MovedApplication> {
  const example = await buildApplication({ application, variant: "example", address })
  const folder = join(dirname(example), "moved")
  rmSync(folder, { recursive: true, force: true })
  writeFiles(collectAuthjsFiles(application), folder)
  await linkDependencies(example, folder)
  const command = [resolve("packages/cli/dist/bin.js"), "move", "--yes"]
  const output = await runProgram(process.execPath, command, { cwd: folder })
  const secondOutput = await runProgram(process.execPath, command, { cwd: folder })
  await runProgram("npm", ["run", "build"], { cwd: folder })
  return { folder, output, secondOutput }
}

/** Returns the folder of the application: an older major version of a framework may have its own. */
function findMovedFolder({ name, framework }: Application): string {
  const folder = `compat/move/${name}`
  return existsSync(folder) ? folder : `compat/move/${framework}`
}

/** Returns the files of the application, and those of the example that configure its framework. */
function collectAuthjsFiles(application: Application): FileMap {
  const configFiles = [...collectExampleFiles(application)].filter(
    ([path]) => !path.startsWith("src/") || /^src\/(app\.html|entry\.)/.test(path),
  )
  return new Map([...configFiles, ...collectFiles([findMovedFolder(application)])])
}
