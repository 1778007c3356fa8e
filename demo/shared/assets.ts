/** Serves style sheets and images. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { RequestHandler } from "express"

/** Serves several files as one style sheet. */
export function serveStyleSheet(...files: readonly string[]): RequestHandler {
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n")
  return (_req, res) => {
    res.set("Cache-Control", "no-cache").type("css").send(text)
  }
}

/** Serves the style sheet of a provider's pages. */
export function serveProviderStyle(file: string): RequestHandler {
  return serveStyleSheet(join(import.meta.dirname, "provider.css"), file)
}

export function serveSvg(svg: string): RequestHandler {
  return (_req, res) => {
    res.set("Cache-Control", "no-cache").type("svg").send(svg)
  }
}
