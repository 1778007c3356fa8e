/** Environment files of Node.js that exist but were not loaded. */

/** The parts of Node.js that this module uses. Other runtimes lack them. */
interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
  getBuiltinModule?(id: "node:fs"): { readFileSync(path: string, encoding: "utf8"): string }
  getBuiltinModule?(id: "node:util"): { parseEnv(text: string): Record<string, string> }
}

/** In the order in which tools read them. */
const fileNames = [".env", ".env.local", ".env.development"]

/** The variables that each file sets, by path. Files are read once, because a fault must not slow down requests. */
const filesByPath = new Map<string, Readonly<Record<string, string>>>()

/**
 * Returns the name of an environment file in the working directory that sets a variable which the process lacks;
 * undefined in production and outside of Node.js.
 */
export function findUnloadedEnvFile(variable: string): string | undefined {
  const { process } = globalThis as { process?: NodeProcess } // not in the types of the web platform
  if (!process?.getBuiltinModule || process.env["NODE_ENV"] === "production") return undefined
  if (process.env[variable]) return undefined
  return fileNames.find((name) => readEnvFile(process, name)[variable])
}

function readEnvFile(process: NodeProcess, name: string): Readonly<Record<string, string>> {
  try {
    const path = `${process.cwd()}/${name}`
    const variables = filesByPath.get(path) ?? parseEnvFile(process, path)
    filesByPath.set(path, variables)
    return variables
  } catch {
    return {}
  }
}

function parseEnvFile(process: NodeProcess, path: string): Record<string, string> {
  try {
    const text = process.getBuiltinModule?.("node:fs").readFileSync(path, "utf8") ?? ""
    return process.getBuiltinModule?.("node:util").parseEnv(text) ?? {}
  } catch {
    return {} // there is no such file
  }
}
