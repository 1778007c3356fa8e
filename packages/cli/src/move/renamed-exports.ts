/** Renames what Latchkey exports under another name. */
import type ts from "typescript"
import { findNodes, isImportCall, type ParsedSource, replaceNode } from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

type Names = Readonly<Record<string, string>>

/** Renames the exports that an import, an export or `await import(…)` of a module names, and where they are used. */
export function renameExports(
  source: ParsedSource,
  literal: ts.StringLiteralLike,
  names: Names,
): TextEdit[] {
  const { ts } = source
  const { parent } = literal
  if (ts.isImportDeclaration(parent)) {
    const bindings = parent.importClause?.namedBindings
    if (!bindings) return []
    if (ts.isNamespaceImport(bindings)) return renameMembers(source, bindings.name.text, names)
    return bindings.elements.flatMap((element) => renameSpecifier(source, element, names))
  }
  if (ts.isExportDeclaration(parent)) {
    const clause = parent.exportClause
    if (!clause || !ts.isNamedExports(clause)) return []
    return clause.elements.flatMap((element) => renameSpecifier(source, element, names))
  }
  if (ts.isLiteralTypeNode(parent)) return renameImportType(source, parent, names)
  if (!ts.isCallExpression(parent)) return []
  return isImportCall(source, parent)
    ? renameDestructured(source, parent, names)
    : renameMocked(source, parent, names)
}

function renameSpecifier(
  source: ParsedSource,
  element: ts.ImportSpecifier | ts.ExportSpecifier,
  names: Names,
): TextEdit[] {
  const { ts } = source
  const exportedName = (element.propertyName ?? element.name).text
  const newName = names[exportedName]
  if (newName === undefined) return []
  if (element.propertyName) return [replaceNode(element.propertyName, newName)]
  const uses = ts.isImportSpecifier(element) ? findUses(source, element, newName) : undefined
  if (!uses) return [replaceNode(element.name, `${newName} as ${exportedName}`)]
  return [element.name, ...uses].map((name) => replaceNode(name, newName))
}

/** Returns where a file uses an imported name; undefined if it cannot be renamed everywhere without an alias. */
function findUses(
  source: ParsedSource,
  element: ts.ImportSpecifier,
  newName: string,
): ts.Identifier[] | undefined {
  const { ts, isPartial } = source
  const identifiers = findNodes(source, ts.isIdentifier)
  if (isPartial || identifiers.some(({ text }) => text === newName)) return
  const uses = identifiers.filter(
    (name) => name.text === element.name.text && name !== element.name && !isMemberName(ts, name),
  )
  // Another declaration of the name, or an export, a shorthand property.
  return uses.some(isDeclaredName) ? undefined : uses
}

function isDeclaredName(name: ts.Identifier): boolean {
  const { parent } = name
  return (
    ("name" in parent && parent.name === name) ||
    ("propertyName" in parent && parent.propertyName === name)
  )
}

/** Whether the identifier names a member of something else. */
function isMemberName(ts: ParsedSource["ts"], name: ts.Identifier): boolean {
  const { parent } = name
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
    (ts.isQualifiedName(parent) && parent.right === name) ||
    (ts.isPropertyAssignment(parent) && parent.name === name)
  )
}

/** `authjs.ExpressAuth`, after `import * as authjs`. */
function renameMembers(source: ParsedSource, namespace: string, names: Names): TextEdit[] {
  const { ts } = source
  return findNodes(source, ts.isIdentifier).flatMap((name) => {
    const { parent } = name
    const object = ts.isPropertyAccessExpression(parent)
      ? parent.expression
      : ts.isQualifiedName(parent) && parent.left
    const newName = names[name.text]
    const isMember = object && object !== name && object.getText() === namespace
    return isMember && newName !== undefined ? [replaceNode(name, newName)] : []
  })
}

/** `import("@auth/express").ExpressAuthConfig` as a type. */
function renameImportType(
  { ts }: ParsedSource,
  literal: ts.LiteralTypeNode,
  names: Names,
): TextEdit[] {
  const { parent } = literal
  const name = ts.isImportTypeNode(parent) ? parent.qualifier : undefined
  const newName = name && ts.isIdentifier(name) ? names[name.text] : undefined
  return name && newName !== undefined ? [replaceNode(name, newName)] : []
}

/** `vi.mock("@auth/express", () => ({ ExpressAuth: … }))`. */
function renameMocked(source: ParsedSource, call: ts.CallExpression, names: Names): TextEdit[] {
  const { ts } = source
  return findNodes(source, ts.isIdentifier)
    .filter(({ pos, end }) => pos >= call.pos && end <= call.end)
    .filter((name) => ts.isPropertyAssignment(name.parent) && name.parent.name === name)
    .flatMap((name) => {
      const newName = names[name.text]
      return newName === undefined ? [] : [replaceNode(name, newName)]
    })
}

/** `const { ExpressAuth } = await import("@auth/express")`. */
function renameDestructured(
  { ts }: ParsedSource,
  call: ts.CallExpression,
  names: Names,
): TextEdit[] {
  const value = ts.isAwaitExpression(call.parent) ? call.parent : call
  const declaration = value.parent
  if (!ts.isVariableDeclaration(declaration) || !ts.isObjectBindingPattern(declaration.name))
    return []
  return declaration.name.elements.flatMap(({ propertyName, name }) => {
    const newName = names[(propertyName ?? name).getText()]
    if (newName === undefined) return []
    return [
      replaceNode(propertyName ?? name, propertyName ? newName : `${newName}: ${name.getText()}`),
    ]
  })
}
