/** A fence's info string: its language, and the file that the block shows. */
export interface CodeBlockInfo {
  readonly language: string
  /** The file that the reader creates, or from which the block is. */
  readonly title?: string
}

/**
 * Parses the info string of a code block, such as `ts auth.ts`, `ts run` or `svelte file=examples/sveltekit/…`: the
 * conventions of `scripts/check-code-blocks.ts`.
 */
export function parseCodeBlockInfo(info: string): CodeBlockInfo {
  const [language = "", second = ""] = info.trim().split(/\s+/)
  const title = second.replace(/^file=(?:(?:examples|compat\/[^/]+)\/[^/]+\/)?/, "")
  return title.includes(".") ? { language, title } : { language }
}
