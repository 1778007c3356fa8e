/** Determines the URL of the development server, which is part of the redirect URIs. */
import { existsSync, readFileSync } from "node:fs"
import { bundlerFiles, detectFramework, listScripts } from "./framework.ts"

/** The ports that the frameworks' development servers use by default. */
const defaultPorts = { express: 3000, sveltekit: 5173, "solid-start": 3000, qwik: 5173 } as const

/** Returns the URL, with the port of the scripts or of the bundler's configuration. */
export function getDevelopmentUrl(env: Readonly<Record<string, string | undefined>>): string {
  const framework = detectFramework() ?? "express"
  const file = bundlerFiles.find((name) => existsSync(name))
  const [, setting = ""] = /\bport\s*:\s*(.*)/.exec(file ? readFileSync(file, "utf8") : "") ?? []
  const [, scriptPort] = /--port[= ](\d+)/.exec(listScripts().join("\n")) ?? []
  const usesVariable = framework === "express" || setting.includes("PORT")
  const [configuredPort] = /\d+/.exec(setting) ?? []
  const port = scriptPort ?? (usesVariable ? env["PORT"] : undefined) ?? configuredPort
  return `http://localhost:${/^\d{1,5}$/.test(port ?? "") ? port : defaultPorts[framework]}`
}
