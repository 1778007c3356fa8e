/** Bundles the TypeScript files of pages when the demo starts. */
import { buildSync } from "esbuild"
import type { RequestHandler } from "express"

/** Serves a file with its imports as one script. */
export function serveScript(file: string): RequestHandler {
  const text = bundleScript(file)
  return (_req, res) => {
    res.set("Cache-Control", "no-cache").type("js").send(text)
  }
}

function bundleScript(file: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    // Uses the sources of the packages, which need no build.
    conditions: ["@latchkey/source"],
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error(`esbuild wrote nothing for ${file}`)
  return bundle.text
}
