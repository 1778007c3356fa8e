/** Keeps the configuration of a Qwik application out of the code for browsers. */
import type ts from "typescript"
import { addImport, findIndent } from "./added-import.ts"
import { findNodes, noMoves, type ParsedSource, type SourceMoves } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

const advice =
  "Return the configuration only on the server: `ResumableAuth$(() => isServer && config)` " +
  "(docs/qwik.md). Otherwise everyone can read it in the code for browsers."

/** Puts `isServer &&` in front of the configuration of `QwikAuth$(() => …)`. */
export function guardQwikConfiguration(source: ParsedSource, qwikModule: string): SourceMoves {
  const { ts } = source
  const calls = findNodes(source, ts.isCallExpression)
  const call = calls.find(({ expression }) => expression.getText() === "QwikAuth$")
  const factory = call?.arguments[0]
  if (!call || !factory) return noMoves
  if (!ts.isArrowFunction(factory) && !ts.isFunctionExpression(factory))
    return { edits: [], advice: [{ position: factory.getStart(), text: advice }] }
  const { body } = factory
  const guardEdits = ts.isBlock(body) ? guardBlock(source, body) : guardExpression(source, body)
  const importEdits = addImport(source, "isServer", qwikModule) ?? []
  return { edits: [...guardEdits, ...importEdits], advice: [] }
}

function guardExpression({ ts }: ParsedSource, body: ts.Expression): TextEdit[] {
  const start = body.getStart()
  const end = body.getEnd()
  // Other expressions may have operators that bind less.
  if (ts.isParenthesizedExpression(body) || ts.isIdentifier(body) || ts.isCallExpression(body))
    return [{ start, end: start, text: "isServer && " }]
  return [
    { start, end: start, text: "isServer && (" },
    { start: end, end, text: ")" },
  ]
}

function guardBlock(source: ParsedSource, { statements }: ts.Block): TextEdit[] {
  const [first] = statements
  if (!first) return []
  const position = first.getStart()
  const indent = findIndent(source, position)
  const start = position - indent.length
  const semicolon = first.getText().endsWith(";") ? ";" : ""
  const text = `${indent}if (!isServer) return false${semicolon}\n`
  return [{ start, end: start, text }]
}
