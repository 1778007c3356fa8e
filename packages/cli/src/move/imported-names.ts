/** The names that a file imports from a module, and their removal. */
import type ts from "typescript"
import { removeLines } from "./removals.ts"
import { findNodes, type ParsedSource } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Returns the import of a module; undefined without one. */
export function findImport(source: ParsedSource, module: string): ts.ImportDeclaration | undefined {
  return findNodes(source, source.ts.isImportDeclaration).find(
    ({ moduleSpecifier }) =>
      source.ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === module,
  )
}

/** Lists the names that a file imports from a module, with braces. */
export function listImportedNames(
  { ts }: ParsedSource,
  declaration: ts.ImportDeclaration | undefined,
): readonly ts.ImportSpecifier[] {
  const bindings = declaration?.importClause?.namedBindings
  return bindings && ts.isNamedImports(bindings) ? bindings.elements : []
}

/** Removes names from an import, or all of it if it has no others. */
export function removeImportedNames(
  source: ParsedSource,
  declaration: ts.ImportDeclaration,
  isRemoved: (exportedName: string) => boolean,
): TextEdit[] {
  const elements = listImportedNames(source, declaration)
  const removed = elements.filter((each) => isRemoved(getExportedName(each)))
  if (removed.length === elements.length && !declaration.importClause?.name)
    return [removeLines(source, declaration)]
  const firstKept = elements.findIndex((each) => !removed.includes(each))
  return removed.map((element) => {
    const index = elements.indexOf(element)
    if (index < firstKept || firstKept < 0)
      return {
        start: element.getStart(),
        end: elements[index + 1]?.getStart() ?? element.end,
        text: "",
      }
    return { start: elements[index - 1]?.end ?? element.getStart(), end: element.end, text: "" }
  })
}

/** Returns the name that a module gives to what is imported. */
export function getExportedName({ name, propertyName }: ts.ImportSpecifier): string {
  return (propertyName ?? name).text
}

/** Returns the calls of a function that a file imports by its own name. */
export function findCalls(source: ParsedSource, name: string): ts.CallExpression[] {
  const { ts } = source
  return findNodes(source, ts.isCallExpression).filter(
    ({ expression }) => ts.isIdentifier(expression) && expression.text === name,
  )
}
