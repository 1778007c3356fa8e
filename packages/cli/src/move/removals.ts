/** Removes parts of a source with the space and the commas around them. */
import type ts from "typescript"
import type { ParsedSource } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Removes a node with its indentation, the end of its last line, and one of two empty lines around it. */
export function removeLines({ file: { text } }: ParsedSource, node: ts.Node): TextEdit {
  const followsEmptyLine = /(?:\r?\n){2}[ \t]*$/.test(text.slice(0, node.getStart()))
  const indent = /[ \t]*$/.exec(text.slice(0, node.getStart()))?.[0].length ?? 0
  const end = followsEmptyLine ? /^[ \t]*;?[ \t]*(?:\r?\n){0,2}/ : /^[ \t]*;?[ \t]*(?:\r?\n)?/
  const after = end.exec(text.slice(node.end))?.[0].length ?? 0
  return { start: node.getStart() - indent, end: node.end + after, text: "" }
}

/** Removes an element of a list, or a property of an object. */
export function removeElement({ file: { text } }: ParsedSource, node: ts.Node): TextEdit {
  const ownLine = /\r?\n[ \t]*$/.exec(text.slice(0, node.getStart()))?.[0]
  const comma = ownLine ? /^[ \t]*,?/ : /^\s*,\s*/
  const after = comma.exec(text.slice(node.end))?.[0] ?? ""
  const before =
    ownLine ?? (after === "" ? /\s*,?\s*$/ : /$/).exec(text.slice(0, node.getStart()))?.[0]
  const start = node.getStart() - (before?.length ?? 0)
  return { start, end: node.end + after.length, text: "" }
}
