/** Scripts for pages: written in TypeScript beside them, bundled when the demo starts. */
import { buildSync } from "esbuild"
import type { RequestHandler } from "express"

/** Serves a file and what it imports as one script. */
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
    // As Node does here: the packages' sources, which need no build before.
    conditions: ["@latchkey/source"],
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error(`esbuild wrote nothing for ${file}`)
  return bundle.text
}
