/** Finds the files of environment variables that the application reads, and those that nothing reads. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { encodingHint, readVariables } from "../secret/env-file.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"
import {
  dependsOn,
  detectFramework,
  hasDevelopmentServer,
  hasStartScript,
  listScripts,
  usesVite,
} from "./framework.ts"
import type { Source } from "./sources.ts"

/** Returns the existing files that the application reads. A variable has the value of the first file that contains it. */
export function findEnvFiles(sources: readonly Source[]): string[] {
  return listEnvFiles(sources).filter((file) => existsSync(file))
}

function listEnvFiles(sources: readonly Source[]): readonly string[] {
  if (detectFramework() === "next") {
    const mode = process.env["NODE_ENV"]
    return [`.env.${mode}.local`, ".env.local", `.env.${mode}`, ".env"]
  }
  const mode = getViteMode()
  if (mode !== undefined) return [`.env.${mode}.local`, `.env.${mode}`, ".env.local", ".env"]
  const files = listLoadedFiles(sources)
  // Without such a script, nothing says how the application is started: most often with `--env-file=.env`.
  return files.length > 0 || hasStartScript() ? files : [".env"]
}

/** Returns the mode of Vite's development server, which reads the files; undefined for other servers. */
function getViteMode(): string | undefined {
  if (!usesVite() || dependsOn("vinxi") || process.env["NODE_ENV"] === "production")
    return undefined
  const script = listScripts().find((each) => /\bvite\b(?! (?:build|preview))/.test(each)) ?? ""
  const [, mode] = /--mode[= ]([\w.-]+)/.exec(script) ?? []
  // The development server of Qwik is `vite --mode ssr`.
  return mode ?? (detectFramework() === "qwik" ? "ssr" : "development")
}

/** Captures the file, and `-if-exists`. */
const envFileOption = /--env-file(?:(?<optional>-if-exists))?[= ]["']?(?<file>[^\s"']+)/g
const loaderPattern = /\bdotenv(?:x|-cli)?\b|\benv-cmd\b/
const loaderCallPattern = /\bloadEnvFile\(\s*(?:["'`]([^"'`]+)["'`])?/g

/** Returns the files that the scripts pass to Node.js, or that the sources load. The last one comes first. */
function listLoadedFiles(sources: readonly Source[]): readonly string[] {
  const scripts = listScripts()
  const texts = sources.map(({ text }) => text)
  const options = scripts.flatMap((script) => [...script.matchAll(envFileOption)])
  const calls = texts.flatMap((text) => [...text.matchAll(loaderCallPattern)])
  const isLoaderImported = texts.some((text) => /["']dotenv(?:\/config)?["']/.test(text))
  const hasLoader = isLoaderImported || scripts.some((script) => loaderPattern.test(script))
  const usesVinxi = dependsOn("vinxi") && process.env["NODE_ENV"] !== "production"
  const files = [
    ...options.map(({ groups }) => groups?.["file"]),
    ...calls.map(([, file]) => file),
  ].map((file = ".env") => file.replace(/^\.[\\/]+/, ""))
  return [...new Set([...(hasLoader || usesVinxi ? [".env"] : []), ...files])].reverse()
}

/** Reports files without which Node.js does not start. */
export function* checkMissingEnvFiles(): Generator<Finding> {
  for (const script of listScripts()) {
    for (const { groups: { optional, file = "" } = {} } of script.matchAll(envFileOption)) {
      if (optional || existsSync(file)) continue
      yield createWarningFinding(
        "env-file-missing",
        `A script in package.json loads ${file}, which does not exist, so that Node.js does not start.`,
        `Create ${file}, or remove it from the script.`,
      )
    }
  }
}

/** Reports files whose first variable has another name for Node.js. The development servers of frameworks read it. */
export function* checkByteOrderMarks(readFiles: readonly string[]): Generator<Finding> {
  if (hasDevelopmentServer() && process.env["NODE_ENV"] !== "production") return
  for (const file of readFiles) {
    const names = Object.keys(parseEnv(readFileSync(file, "utf8")))
    const name = names.find((each) => each.startsWith("\uFEFF"))
    if (name === undefined) continue
    yield createErrorFinding(
      "env-file-encoding",
      `${file} begins with a byte order mark, which Node.js takes for a part of the name ${name.slice(1)}: it is not set.`,
      encodingHint,
    )
  }
}

/** Not those of other modes and tools, nor templates. */
const developmentFiles = /^\.env(?:\.(?:local|dev|development)(?:\.local)?)?$/

/** Warns of files with variables of the library that the application does not read. */
export function* checkUnreadEnvFiles(readFiles: readonly string[]): Generator<Finding> {
  const production = process.env["NODE_ENV"] === "production"
  for (const file of readdirSync(".").sort()) {
    const candidates = production ? /^\.env(?:\.production)?$/ : developmentFiles
    if (!candidates.test(file) || readFiles.includes(file)) continue
    const names = Object.keys(readVariables(file))
    const unset = names.filter((name) => name.startsWith("AUTH_") && !process.env[name])
    if (unset.length > 0) yield createUnreadFileFinding(file, unset, readFiles)
  }
}

function createUnreadFileFinding(
  file: string,
  names: readonly string[],
  readFiles: readonly string[],
): Finding {
  const what = `${file} sets ${names.slice(0, 4).join(", ")}, but the application does not load this file.`
  const fix =
    hasDevelopmentServer() && readFiles.includes(".env")
      ? `Move the variables to ${readFiles.at(-1)}.`
      : `Start the application with node --env-file=${file}. If something else loads the file, such as Docker Compose, run the doctor with --env ${file}.`
  return createWarningFinding("env-file-unread", what, fix)
}
