/** Edits of JSON that keep the formatting of everything else. */
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser"
import { findLineBreak, removeByteOrderMark } from "../text.ts"

export type Json = Readonly<Record<string, unknown>>

/** Parses an object; undefined if the text is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(removeByteOrderMark(text))
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null

/** Replaces the name and the value of a property, in its place. */
export function renameProperty(
  text: string,
  path: readonly string[],
  name: string,
  value: unknown,
): string {
  const tree = parseTree(text)
  const property = tree && findNodeAtLocation(tree, [...path])?.parent
  const index = property ? (property.parent?.children?.indexOf(property) ?? 0) : 0
  const newPath = [...path.slice(0, -1), name]
  return setProperty(setProperty(text, path, undefined), newPath, value, () => index)
}

/** Sets, adds or removes a property. */
export function setProperty(
  text: string,
  path: readonly string[],
  value: unknown,
  getInsertionIndex?: (keys: string[]) => number,
): string {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  "
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: findLineBreak(text),
  }
  const options = getInsertionIndex
    ? { formattingOptions, getInsertionIndex }
    : { formattingOptions }
  return applyEdits(text, modify(text, [...path], value, options))
}
