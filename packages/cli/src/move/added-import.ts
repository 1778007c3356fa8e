/** Adds imports in the style of those that a file has. */
import type ts from "typescript"
import { type AddedImport, findNodes, type ParsedSource } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Whether the file has an import beside which a name can be imported, and declares no other value of that name. */
export function canImport(source: ParsedSource, name: string): boolean {
  const { ts } = source
  const isOther = ({ text, parent }: ts.Identifier) =>
    text === name &&
    (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent)) &&
    parent.name.getText() === name
  return (
    findNodes(source, ts.isImportDeclaration).length > 0 &&
    !findNodes(source, ts.isIdentifier).some(isOther)
  )
}

/** Returns the edits that import names, each once, and none for names that the file imports from somewhere already. */
export function addImports(source: ParsedSource, added: readonly AddedImport[]): TextEdit[] {
  const imports = findNodes(source, source.ts.isImportDeclaration)
  const names = new Map(added.map((item) => [item.name, item]))
  return [...names.values()].flatMap((item) => addImport(source, imports, item))
}

function addImport(
  source: ParsedSource,
  imports: readonly ts.ImportDeclaration[],
  { name, module, isType, isReplacement }: AddedImport,
): TextEdit[] {
  const specifiers = imports.flatMap((declaration) => listSpecifiers(source, declaration))
  if (!isReplacement && specifiers.some((specifier) => specifier.name.text === name)) return []
  const isOfModule = ({ moduleSpecifier }: ts.ImportDeclaration) =>
    source.ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === module
  const last = imports
    .filter(isOfModule)
    .flatMap((declaration) => listSpecifiers(source, declaration))
    .at(-1)
  const specifier = isType ? `type ${name}` : name
  if (last) return [{ start: last.getEnd(), end: last.getEnd(), text: `, ${specifier}` }]
  const [first] = imports
  if (!first) return []
  const position = first.getStart()
  const indent = findIndent(source, position)
  const start = position - indent.length
  const [quote] = first.moduleSpecifier.getText()
  const end = first.getText().endsWith(";") ? ";" : ""
  const text = `${indent}import ${isType ? "type " : ""}{ ${name} } from ${quote}${module}${quote}${end}\n`
  return [{ start, end: start, text }]
}

/** Lists the names of an import of values. */
function listSpecifiers(
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
