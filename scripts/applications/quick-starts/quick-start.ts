/** Reads the steps of a quick start from its page: the code blocks of the section "Quick start", in order. */
import { readFileSync } from "node:fs"
import { type CodeBlock, parseBlocks } from "../../code-blocks/blocks.ts"

/** The pages with a quick start. */
export const quickStartPages = [
  "docs/express.md",
  "docs/sveltekit.md",
  "docs/solid-start.md",
  "docs/qwik.md",
  "docs/hono.md",
  "docs/next.md",
  "docs/react-router.md",
  "docs/astro.md",
  "docs/nuxt.md",
] as const

/** One code block of a quick start. */
export type QuickStartStep =
  /** Commands that end ("sh"). */
  | { readonly type: "run"; readonly commands: readonly string[] }
  /** A server that keeps running ("sh start"), after the commands before it. */
  | { readonly type: "start"; readonly commands: readonly string[]; readonly server: string }
  /** A file to create or replace ("ts src/auth.ts"). */
  | { readonly type: "write"; readonly path: string; readonly content: string }
  /** Variables to add to a file ("env .env"). */
  | { readonly type: "append"; readonly path: string; readonly content: string }

const heading = "## Quick start"

/**
 * Returns the code blocks of a page's quick start.
 *
 * @throws Error if it has none
 */
export function readQuickStartBlocks(page: string): CodeBlock[] {
  const lines = readFileSync(page, "utf8").split("\n")
  const start = lines.indexOf(heading)
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "))
  const blocks = parseBlocks(page).filter(
    ({ line }) => start !== -1 && line > start && (end === -1 || line <= end),
  )
  if (blocks.length === 0) throw new Error(`${page} has no code in a section "${heading}".`)
  return blocks
}

/**
 * Returns the steps of a page.
 *
 * @throws Error if a block is not a step
 */
export function readQuickStart(page: string): QuickStartStep[] {
  return readQuickStartBlocks(page).map(parseStep)
}

function parseStep({ file, line, kind, code }: CodeBlock): QuickStartStep {
  const [language = "", name] = kind.split(" ")
  const commands = code.split("\n").filter((line) => line.trim() !== "")
  if (kind === "sh") return { type: "run", commands }
  if (kind === "sh start") {
    return { type: "start", commands: commands.slice(0, -1), server: commands.at(-1) ?? "" }
  }
  if (name === undefined)
    throw new Error(`${file}:${line} is no step: name its file after "${language}".`)
  return { type: language === "env" ? "append" : "write", path: name, content: code }
}
