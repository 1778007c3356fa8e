/** Reads the code blocks of the Markdown files. */
import { globSync, readFileSync } from "node:fs"
import { readPublishedPackages } from "../published-packages.ts"

/** A fenced block. */
export interface CodeBlock {
  readonly file: string
  /** The line of its opening fence. */
  readonly line: number
  /** The info string after the fence: a language, and perhaps "run" or the name of the file. */
  readonly kind: string
  readonly code: string
}

/** Returns all code blocks in files for users. */
export function readCodeBlocks(): CodeBlock[] {
  const packages = readPublishedPackages().map(({ folder }) => `${folder}/*.md`)
  const examples = "examples/*/README.md"
  return globSync(["*.md", "docs/**/*.md", examples, ...packages]).flatMap(parseBlocks)
}

/** Returns the code blocks of a file. */
export function parseBlocks(file: string): CodeBlock[] {
  const text = readFileSync(file, "utf8")
  const fenced = /^(?<margin> *)```(?<kind>[^\n]*)\n(?<code>.*?)^ *```$/gms
  return [...text.matchAll(fenced)].map(({ index, groups }) => {
    const { margin = "", kind = "", code = "" } = groups ?? {}
    const line = text.slice(0, index).split("\n").length
    // Blocks in a list are indented.
    return {
      file,
      line,
      kind: kind.trim(),
      code: code.replaceAll(new RegExp(`^${margin}`, "gm"), ""),
    }
  })
}

/** Whether a block is TypeScript. */
export function isTypeScript({ kind }: CodeBlock): boolean {
  return ["ts", "ts run", "tsx"].includes(kind) || parseFileName(kind) !== undefined
}

/** Returns a file name that identifies the block. Blocks with file names share a folder and can import each other. */
export function blockFileName({ file, line, kind }: CodeBlock): string {
  const page = file.replaceAll("/", "-")
  const name = parseFileName(kind)
  return name === undefined
    ? `${page}-line-${line}.${kind === "tsx" ? "tsx" : "ts"}`
    : `${page}/${name}`
}

function parseFileName(kind: string): string | undefined {
  return /^ts ([\w-]+\.ts)$/.exec(kind)?.[1]
}
