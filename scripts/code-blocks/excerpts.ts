/** Checks code blocks that show an excerpt of an example application against its file. */
import { existsSync, readFileSync } from "node:fs"
import type { CodeBlock } from "./blocks.ts"

const excerptPattern = /^(?:js|ts|tsx|svelte|json|css|html|nginx|dockerfile) file=(\S+)$/

/** Returns the file of an excerpt. */
export function excerptFile({ kind }: CodeBlock): string | undefined {
  return excerptPattern.exec(kind)?.[1]
}

/** Returns the problem of an excerpt: its lines must follow each other in the file. Indentation may differ. */
export function findExcerptProblem({ code }: CodeBlock, file: string): string | undefined {
  if (!existsSync(file)) return `shows ${file}, which does not exist`
  const excerptLines = splitLines(code)
  const lines = splitLines(readFileSync(file, "utf8"))
  if (excerptLines.length === 0) return "shows nothing"
  const isContained = lines.some((_, index) =>
    excerptLines.every((line, offset) => lines[index + offset] === line),
  )
  return isContained ? undefined : `is no part of ${file}`
}

function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
}
