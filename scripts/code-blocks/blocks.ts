/** The code blocks of the Markdown files. */
import { globSync, readFileSync } from "node:fs"
import { readPublishedPackages } from "../published-packages.ts"

/** A fenced block. */
export interface CodeBlock {
  readonly file: string
  /** Of its first fence. */
  readonly line: number
  /** What stands behind the fence: a language, and perhaps "run" or the name of the file that it is. */
  readonly kind: string
  readonly code: string
}

/** All blocks of what users read. */
export function readCodeBlocks(): CodeBlock[] {
  const packages = readPublishedPackages().map(({ folder }) => `${folder}/*.md`)
  const examples = "examples/*/README.md"
  return globSync(["*.md", "docs/**/*.md", examples, ...packages]).flatMap(parseBlocks)
}

function parseBlocks(file: string): CodeBlock[] {
  const text = readFileSync(file, "utf8")
  const fenced = /^(?<margin> *)```(?<kind>[^\n]*)\n(?<code>.*?)^ *```$/gms
  return [...text.matchAll(fenced)].map(({ index, groups }) => {
    const { margin = "", kind = "", code = "" } = groups ?? {}
    const line = text.slice(0, index).split("\n").length
    // A block in a list is moved in.
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
  return kind === "ts" || kind === "ts run" || parseFileName(kind) !== undefined
}

/** Where a block stands, as a file name that leads back to it. Files with names lie together, and import each other. */
export function blockFileName({ file, line, kind }: CodeBlock): string {
  const page = file.replaceAll("/", "-")
  const name = parseFileName(kind)
  return name === undefined ? `${page}-line-${line}.ts` : `${page}/${name}`
}

function parseFileName(kind: string): string | undefined {
  return /^ts ([\w-]+\.ts)$/.exec(kind)?.[1]
}
