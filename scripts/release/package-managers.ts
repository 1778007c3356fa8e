/** npm, pnpm, Yarn and Bun, as people use them to create an application. */
import { globSync, mkdirSync, symlinkSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import type { Environment } from "../applications/catalogue.ts"
import { type Registry, registryTools } from "./registry.ts"

/** A package manager, and its commands. */
interface PackageManager {
  readonly name: string
  /** The command that creates an application, up to its arguments. */
  readonly create: readonly [string, ...string[]]
}

/** Each with the version of the tag `next`. */
export const packageManagers: readonly PackageManager[] = [
  { name: "npm", create: ["npm", "create", "--yes", "@latchkey@next", "--"] },
  { name: "pnpm", create: ["pnpm", "create", "@latchkey@next"] },
  { name: "yarn", create: ["yarn", "create", "@latchkey@next"] },
  { name: "bun", create: ["bun", "create", "@latchkey@next"] },
]

/** Their programs: npm does not run the scripts that would link some of them. */
const programs = {
  pnpm: "@pnpm/exe.*/pnpm",
  yarn: "@yarnpkg/cli-dist/bin/yarn.js",
  bun: "@oven/bun-*/bin/bun",
  bunx: "@oven/bun-*/bin/bun",
}

/** Links the programs in a new folder, and returns the variables of people who use them. */
export function linkPackageManagers(folder: string, { env, home }: Registry): Environment {
  mkdirSync(folder)
  for (const [name, pattern] of Object.entries(programs)) {
    const [program] = globSync(pattern, { cwd: registryTools })
    if (!program) throw new Error(`${registryTools} has no ${pattern}.`)
    symlinkSync(join(registryTools, program), join(folder, name))
  }
  const path = [folder, dirname(process.execPath), process.env["PATH"]]
  return {
    ...env,
    HOME: home,
    PATH: path.join(delimiter),
    // pnpm leaves out versions that are younger than a day.
    pnpm_config_minimum_release_age: "0",
  }
}
