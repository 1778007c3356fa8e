/** Keeps the configuration of a Qwik application out of the code for browsers. */
import type ts from "typescript"
import { canImport, findIndent } from "./added-import.ts"
import { findNodes, mergeMoves, type ParsedSource, type SourceMoves } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

const advice =
  "Return the configuration only on the server: `ResumableAuth$(() => isServer && config)` " +
  "(docs/qwik.md). Otherwise everyone can read it in the code for browsers."

/** Puts `isServer &&` in front of the configuration of each `QwikAuth$(() => …)`. */
export function guardQwikConfigurations(source: ParsedSource, qwikModule: string): SourceMoves {
  const { ts } = source
  const aliases = findNodes(source, ts.isImportSpecifier)
    .filter(({ propertyName }) => propertyName && isQwikAuth(propertyName.text))
    .map(({ name }) => name.text)
  const isCalled = ({ expression }: ts.CallExpression) =>
    isQwikAuth(expression.getText()) || aliases.includes(expression.getText())
  const calls = findNodes(source, ts.isCallExpression).filter(isCalled)
  return mergeMoves(calls.map((call) => guardConfiguration(source, call, qwikModule)))
}

/** Whether the text is a function of `@auth/qwik`, or ends with one of a namespace. */
const isQwikAuth = (text: string): boolean => /(^|\.)QwikAuth(\$|Qrl)$/.test(text)

function guardConfiguration(
  source: ParsedSource,
  call: ts.CallExpression,
  module: string,
): SourceMoves {
  const { ts } = source
  const [factory = call] = call.arguments
  const isFunction = ts.isArrowFunction(factory) || ts.isFunctionExpression(factory)
  if (!isFunction || !canImport(source, "isServer"))
    return { edits: [], advice: [{ position: factory.getStart(), text: advice }] }
  const { body } = factory
  const edits = ts.isBlock(body) ? guardBlock(source, body) : guardExpression(source, body)
  return { edits, advice: [], imports: [{ name: "isServer", module }] }
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
