/** Formats the result of `latchkey move` for people. */
import type { FileMove } from "./move-project.ts"
import { formatDiff } from "./unified-diff.ts"

export function formatDiffs(files: readonly FileMove[]): string {
  return files.map(({ path, text, edits }) => formatDiff(path, text, edits)).join("\n")
}

/** Lists what users have to change by hand, as `file:line  sentence`; an empty text if there is nothing. */
export function formatAdvice(files: readonly FileMove[]): string {
  const lines = files.flatMap(({ path, text, advice }) =>
    advice.map((item) => {
      const line = text.slice(0, item.position).split("\n").length
      return `  ${path}:${line}  ${item.text}`
    }),
  )
  return lines.length === 0 ? "" : ["", "Check these yourself:", ...lines].join("\n")
}
