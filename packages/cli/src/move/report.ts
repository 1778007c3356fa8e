/** Formats the result of `latchkey move` for people. */

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import { style } from "../terminal.ts"
import type { FileMove } from "./source-file.ts"

/** Formats unified diffs, as `git apply` reads them. */
export function formatDiffs(files: readonly FileMove[]): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY }
  return files
    .map(({ path, text, after }) =>
      createTwoFilesPatch(`a/${path}`, `b/${path}`, text, after, undefined, undefined, options),
    )
    .join("")
    .replace(/\n$/, "")
    .replaceAll(/^[-+@].*/gm, (line) => style(getLineColour(line), line))
}

function getLineColour(line: string): "red" | "green" | "cyan" {
  return line.startsWith("-") ? "red" : line.startsWith("+") ? "green" : "cyan"
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
