/** Reads from `package.json` which framework the application uses, and how its scripts start it. */
import { existsSync, readFileSync } from "node:fs"

/** The frameworks with a package of Latchkey. */
export type Framework = "express" | "sveltekit" | "solid-start" | "qwik"

const frameworks = ["qwik", "sveltekit", "solid-start", "express"] as const

/** Returns the framework of the application in the current folder. */
export function detectFramework(): Framework | undefined {
  return frameworks.find((name) => dependsOn(`@latchkey/${name}`))
}

/** Whether Vite builds the application. */
export function usesVite(): boolean {
  return (detectFramework() ?? "express") !== "express"
}

/** The files with the configuration of Vite and of SvelteKit. */
export const bundlerFiles: readonly string[] = ["vite.config", "svelte.config"].flatMap((name) =>
  ["ts", "js", "mts", "mjs"].map((ending) => `${name}.${ending}`),
)

/** Whether the `package.json` of the current folder names a package. */
export function dependsOn(name: string): boolean {
  return readPackageJson().includes(`"${name}"`)
}

/** Returns the commands of the scripts in `package.json`, except those for the other environment. */
export function listScripts(): readonly string[] {
  const isProduction = process.env["NODE_ENV"] === "production"
  return Object.entries(readScripts()).flatMap(([name, script]) => {
    const isForProduction = script.includes("NODE_ENV=production")
    return (isProduction ? /^dev\b/.test(name) : isForProduction) ? [] : [script]
  })
}

/** Whether a script starts the application, going by its name. */
export function hasStartScript(): boolean {
  return Object.keys(readScripts()).some((name) => /^(?:start|dev|serve|preview)\b/.test(name))
}

function readScripts(): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(readPackageJson())
    const entries = Object.entries<unknown>(Object(scripts))
    return Object.fromEntries(
      entries.flatMap(([name, script]) => (typeof script === "string" ? [[name, script]] : [])),
    )
  } catch {
    return {} // there is none, or it is not JSON
  }
}

function readPackageJson(): string {
  return existsSync("package.json") ? readFileSync("package.json", "utf8") : ""
}
