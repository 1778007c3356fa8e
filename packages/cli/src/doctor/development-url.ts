/** Determines the URL of the development server, which is part of the redirect URIs. */
import { existsSync, readFileSync } from "node:fs"
import { bundlerFiles, detectFramework, findFetchFramework, listScripts } from "./framework.ts"
import type { Source } from "./sources.ts"

/** The ports that the frameworks' development servers use by default. */
const defaultPorts = {
  express: 3000,
  next: 3000,
  sveltekit: 5173,
  "solid-start": 3000,
  qwik: 5173,
  "@react-router/dev": 5173,
  astro: 4321,
  nuxt: 3000,
} as const

/** Returns the URL, with the port of the scripts or of the bundler's configuration. */
export function getDevelopmentUrl(
  env: Readonly<Record<string, string | undefined>>,
  sources: readonly Source[],
): string {
  const framework = detectFramework() ?? findFetchFramework() ?? "express"
  const file = bundlerFiles.find((name) => existsSync(name))
  const [, setting = ""] = /\bport\s*:\s*(.*)/.exec(file ? readFileSync(file, "utf8") : "") ?? []
  const [, scriptPort] = /(?:--port[= ]|next dev.* -p )(\d+)/.exec(listScripts().join("\n")) ?? []
  const usesVariable = ["express", "nuxt"].includes(framework) || setting.includes("PORT")
  const [configuredPort] = /\d+/.exec(setting) ?? []
  const sourcePort = framework === "express" ? findServerPort(sources) : undefined
  const port =
    scriptPort ?? (usesVariable ? env["PORT"] : undefined) ?? sourcePort ?? configuredPort
  return `http://localhost:${/^\d{1,5}$/.test(port ?? "") ? port : defaultPorts[framework]}`
}

/** Finds `listen(3000)`, or the default of the variable `PORT`. */
function findServerPort(sources: readonly Source[]): string | undefined {
  const pattern =
    /\.listen\(\s*(?:\{\s*port\s*:\s*)?(\d{2,5})\b|\bPORT["'\])]*\s*(?:\?\?|\|\||=)\s*["']?(\d{2,5})\b/
  for (const { text } of sources) {
    const [, literal, fallback] = pattern.exec(text) ?? []
    if (literal ?? fallback) return literal ?? fallback
  }
  return undefined
}
