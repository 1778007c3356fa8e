/** Reads from `package.json` which framework the application uses, and how its scripts start it. */
import { existsSync, readFileSync } from "node:fs"

/** The frameworks with a package of Latchkey. */
export type Framework = "express" | "sveltekit" | "solid-start" | "qwik"

const frameworks = ["qwik", "sveltekit", "solid-start", "express"] as const

/** Returns the framework of the application in the current folder. */
export function detectFramework(): Framework | undefined {
  return frameworks.find((name) => dependsOn(`@latchkey/${name}`))
}

/** The files with the configuration of Vite and of SvelteKit. */
export const bundlerFiles: readonly string[] = ["vite.config", "svelte.config"].flatMap((name) =>
  ["ts", "js", "mts", "mjs"].map((ending) => `${name}.${ending}`),
)

/** Whether the `package.json` of the current folder names a package. */
export function dependsOn(name: string): boolean {
  return readPackageJson().includes(`"${name}"`)
}

/** Returns the commands of the scripts in `package.json`. */
export function listScripts(): readonly string[] {
  try {
    const { scripts } = JSON.parse(readPackageJson())
    return Object.values(Object(scripts)).filter((script) => typeof script === "string")
  } catch {
    return [] // there is none, or it is not JSON
  }
}

function readPackageJson(): string {
  return existsSync("package.json") ? readFileSync("package.json", "utf8") : ""
}
