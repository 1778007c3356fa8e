/** Reads from `package.json` which framework the application uses, and how its scripts start it. */
import { existsSync, readFileSync } from "node:fs"
import { parseJson } from "../move/json-edits.ts"

/** The frameworks with a package of Latchkey. */
export type Framework = "express" | "next" | "sveltekit" | "solid-start" | "qwik"

const frameworks = ["qwik", "sveltekit", "solid-start", "next", "express"] as const

/** Returns the framework of the application in the current folder. */
export function detectFramework(): Framework | undefined {
  return frameworks.find((name) => dependsOn(`@latchkey/${name}`))
}

/** The packages of frameworks with a development server that use `@latchkey/fetch`. */
const fetchFrameworks = ["@react-router/dev", "astro", "nuxt"] as const

/** Returns the package of the framework that uses `@latchkey/fetch`. */
export function findFetchFramework(): (typeof fetchFrameworks)[number] | undefined {
  return detectFramework() === undefined ? fetchFrameworks.find(dependsOn) : undefined
}

/** Whether the framework has a development server, which reads files of environment variables. */
export function hasDevelopmentServer(): boolean {
  return (detectFramework() ?? findFetchFramework() ?? "express") !== "express"
}

/** Whether Vite builds the application. */
export function usesVite(): boolean {
  return hasDevelopmentServer() && detectFramework() !== "next"
}

/** The files with the configuration of Vite, SvelteKit and Next.js. */
export const bundlerFiles: readonly string[] = [
  "vite.config",
  "svelte.config",
  "next.config",
].flatMap((name) => ["ts", "js", "mts", "mjs"].map((ending) => `${name}.${ending}`))

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
  // There may be none, or it is not JSON.
  const scripts = parseJson(readPackageJson())?.["scripts"]
  const entries = Object.entries<unknown>(Object(scripts))
  return Object.fromEntries(
    entries.flatMap(([name, script]) => (typeof script === "string" ? [[name, script]] : [])),
  )
}

function readPackageJson(): string {
  return existsSync("package.json") ? readFileSync("package.json", "utf8") : ""
}
