/** Adds an import in the style of those that a file has. */
import type ts from "typescript"
import { findNodes, type ParsedSource } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Returns the edits that import a name, none if the file does so already; undefined if it has no imports. */
export function addImport(
  source: ParsedSource,
  name: string,
  module: string,
): TextEdit[] | undefined {
  const imports = findNodes(source, source.ts.isImportDeclaration)
  const existing = imports.filter(
    ({ moduleSpecifier }) => getText(source, moduleSpecifier) === module,
  )
  const names = existing.flatMap((declaration) => listNames(source, declaration))
  if (names.some((element) => (element.propertyName ?? element.name).text === name)) return []
  const last = names.at(-1)
  if (last) return [{ start: last.getEnd(), end: last.getEnd(), text: `, ${name}` }]
  const [first] = imports
  if (!first) return undefined
  const position = first.getStart()
  const indent = findIndent(source, position)
  const start = position - indent.length
  const [quote] = first.moduleSpecifier.getText()
  const end = first.getText().endsWith(";") ? ";" : ""
  const text = `${indent}import { ${name} } from ${quote}${module}${quote}${end}\n`
  return [{ start, end: start, text }]
}

function getText({ ts }: ParsedSource, node: ts.Node): string | undefined {
  return ts.isStringLiteral(node) ? node.text : undefined
}

/** Lists the names of an import of values. */
function listNames(
  { ts }: ParsedSource,
  { importClause }: ts.ImportDeclaration,
): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings
  const isOfTypes = importClause?.getText().startsWith("type ")
  return bindings && ts.isNamedImports(bindings) && !isOfTypes ? bindings.elements : []
}

/** Returns the spaces in front of a position. */
export function findIndent({ file }: ParsedSource, position: number): string {
  return /[ \t]*$/.exec(file.text.slice(0, position))?.[0] ?? ""
}
