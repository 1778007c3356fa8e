/** The process of Node.js: its environment variables and files, its terminal, and its end. */

/** Not imported: `node:fs` and `node:process` load forty other modules, which only an invalid configuration needs. */
const { process } = globalThis

/** In the order in which tools read them. */
const fileNames = [".env", ".env.local", ".env.development"]

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Returns the name of an environment file in the working directory that sets a variable which the process lacks;
 * undefined in production. `process.web.ts` has the same function.
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

/** Whether log lines may have colours: `FORCE_COLOR` and `NO_COLOR` decide, else whether the log is a terminal. */
export function usesColors(): boolean {
  const { FORCE_COLOR, NO_COLOR } = process.env
  return FORCE_COLOR === undefined ? !NO_COLOR && process.stderr.isTTY : FORCE_COLOR !== "0"
}

/** Ends the process with status 1. */
export const endProcess = (): void => process.exit(1)

function readEnvFile(name: string): Variables {
  try {
    const { readFileSync } = process.getBuiltinModule("node:fs")
    const text = readFileSync(`${process.cwd()}/${name}`, "utf8")
    return process.getBuiltinModule("node:util").parseEnv(text)
  } catch {
    return {} // there is no such file or folder, or this Node.js cannot parse it
  }
}
