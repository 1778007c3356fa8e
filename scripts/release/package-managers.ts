/** npm, pnpm, Yarn and Bun, as people use them to create and install applications. */
import { globSync, mkdirSync, symlinkSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { openBuildFolder } from "../applications/build-folder.ts"
import type { Environment } from "../applications/catalogue.ts"
import { type Registry, registryTools } from "./registry.ts"

/** A package manager, and its commands. */
export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn" | "bun"
  /** The command that creates an application, up to its arguments. */
  readonly create: readonly [string, ...string[]]
  /** The frameworks of the applications that it creates in tests: Express, and one that needs its settings. */
  readonly created: readonly string[]
  /** The beginnings of npm's commands, and those that replace them. Any other command stays the same. */
  readonly commands: Readonly<Record<string, string>>
  /** The settings that some frameworks need, as variables. `latchkey init` writes them into a new application. */
  readonly settings: Environment
}

/**
 * An optional dependency of Vite 8.4, for Windows. Where the registry does not have it, Yarn stops, and the others leave it
 * out.
 */
export const yarnResolutions = { "napi-windows-process-start-time": "link:missing" }
const leaveOutPackage = `npm pkg set ${Object.entries(yarnResolutions)
  .map(([name, range]) => `resolutions.${name}=${range}`)
  .join(" ")}`

/** Each creates an application with the version of the tag `next`. */
export const packageManagers: readonly PackageManager[] = [
  {
    name: "npm",
    create: ["npm", "create", "--yes", "@latchkey@next", "--"],
    created: ["express"],
    commands: {},
    settings: {},
  },
  {
    name: "pnpm",
    create: ["pnpm", "create", "@latchkey@next"],
    created: ["express", "qwik"],
    commands: {
      "npm install --save-dev ": "pnpm add --save-dev ",
      "npm install ": "pnpm add ",
      "npm install": "pnpm install",
      "npm create ": "pnpm create ",
      "npm run ": "pnpm run ",
      "npx @latchkey/cli ": "pnpm exec latchkey ",
      "npx ": "pnpm dlx ",
    },
    settings: { pnpm_config_strict_dep_builds: "false" },
  },
  {
    name: "yarn",
    create: ["yarn", "create", "@latchkey@next"],
    created: ["express", "next"],
    commands: {
      "npm install --save-dev ": `${leaveOutPackage} && yarn add --dev `,
      "npm install ": `${leaveOutPackage} && yarn add `,
      "npm install": `${leaveOutPackage} && yarn install`,
      "npm create ": "yarn create ",
      "npm run ": "yarn run ",
      "npx @latchkey/cli ": "yarn run latchkey ",
      "npx ": "yarn dlx ",
    },
    settings: { YARN_NODE_LINKER: "node-modules" },
  },
  {
    name: "bun",
    create: ["bun", "create", "@latchkey@next"],
    created: ["express"],
    commands: {
      "npm install --save-dev ": "bun add --dev ",
      "npm install ": "bun add ",
      "npm install": "bun install",
      "npm create ": "bun create ",
      "npm run ": "bun run ",
      "npx @latchkey/cli ": "bun run latchkey ",
      "npx ": "bunx ",
    },
    settings: {},
  },
]

/** Returns a command of npm as this package manager has it. */
export function translateCommand(command: string, { commands }: PackageManager): string {
  const npmCommand = Object.keys(commands).find((start) => command.startsWith(start))
  if (npmCommand === undefined) return command
  // Only npm needs to know where the arguments of a program begin.
  const args = command.slice(npmCommand.length).replace(" -- ", " ")
  // The command after the starter's installs what the starter leaves out.
  return commands[npmCommand] + args.replace("--install npm", "--no-install")
}

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
    ...keepDownloads(),
    HOME: home,
    // Bun keeps programs that it has run there, for a day.
    TMPDIR: home,
    PATH: path.join(delimiter),
    // pnpm leaves out versions that are younger than a day.
    pnpm_config_minimum_release_age: "0",
  }
}

/** Returns the variables with which downloads are kept for later runs. */
function keepDownloads(): Environment {
  const folder = join(openBuildFolder(), "downloads")
  return {
    npm_config_cache: join(homedir(), ".npm"),
    pnpm_config_store_dir: join(folder, "pnpm"),
    pnpm_config_prefer_offline: "true",
    YARN_GLOBAL_FOLDER: join(folder, "yarn"),
    BUN_INSTALL_CACHE_DIR: join(folder, "bun"),
  }
}
