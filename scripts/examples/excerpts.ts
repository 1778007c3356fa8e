/** Blocks that show part of an example application, which is built and driven: they have to say what it says. */
import { existsSync, readFileSync } from "node:fs"
import type { Block } from "./blocks.ts"

const shown = /^(?:ts|tsx|svelte|json|css|html|nginx) file=(\S+)$/

/** The file that a block shows a part of. */
export function shownFile({ kind }: Block): string | undefined {
  return shown.exec(kind)?.[1]
}

/** What is wrong with an excerpt: its lines have to follow each other in the file, however far they are moved in. */
export function excerptProblem({ code }: Block, file: string): string | undefined {
  if (!existsSync(file)) return `shows ${file}, which does not exist`
  const wanted = linesOf(code)
  const lines = linesOf(readFileSync(file, "utf8"))
  if (wanted.length === 0) return "shows nothing"
  const stands = lines.some((_, at) => wanted.every((line, offset) => lines[at + offset] === line))
  return stands ? undefined : `is no part of ${file}`
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
}
