/** Node.js: environment files that exist but were not loaded. */

/** Not imported: the modules for files and processes load forty others, and only a faulty configuration needs them. */
const { process } = globalThis

/** In the order in which tools read them. */
const fileNames = [".env", ".env.local", ".env.development"]

type Variables = Readonly<Record<string, string | undefined>>

/** The variables that each file sets, by path. Files are read once, because a fault must not slow down requests. */
const filesByPath = new Map<string, Variables>()

/**
 * Returns the name of an environment file in the working directory that sets a variable which the process lacks;
 * undefined in production. `env-file.web.ts` has the same function.
 */
export function findUnloadedEnvFile(variable: string): string | undefined {
  if (process.env["NODE_ENV"] === "production" || process.env[variable]) return undefined
  return fileNames.find((name) => readEnvFile(name)[variable])
}

/** Returns the first of these variables that the process or, outside of production, an environment file sets. */
export function findVariable(names: readonly string[]): string | undefined {
  const files = process.env["NODE_ENV"] === "production" ? [] : fileNames
  return names.find((name) => process.env[name] || files.some((file) => readEnvFile(file)[name]))
}

function readEnvFile(name: string): Variables {
  try {
    const path = `${process.cwd()}/${name}`
    const variables = filesByPath.get(path) ?? parseEnvFile(path)
    filesByPath.set(path, variables)
    return variables
  } catch {
    return {} // the working directory was deleted
  }
}

function parseEnvFile(path: string): Variables {
  try {
    const { readFileSync } = process.getBuiltinModule("node:fs")
    return process.getBuiltinModule("node:util").parseEnv(readFileSync(path, "utf8"))
  } catch {
    return {} // there is no such file, or this Node.js cannot parse it
  }
}
