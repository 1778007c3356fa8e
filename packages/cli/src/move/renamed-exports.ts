/** Renames what Latchkey exports under another name. */
import type ts from "typescript"
import {
  findNodes,
  isImportCall,
  mergeMoves,
  noMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

type Names = Readonly<Record<string, string>>

/** Renames the exports of a module that its import, export, mock or `import(…)` leads to, and lists what it cannot follow. */
export function renameExports(
  source: ParsedSource,
  literal: ts.StringLiteralLike,
  names: Names,
): SourceMoves {
  const { ts } = source
  const { parent } = literal
  if (Object.keys(names).length === 0) return noMoves
  if (ts.isImportDeclaration(parent)) {
    const bindings = parent.importClause?.namedBindings
    if (!bindings) return noMoves
    if (ts.isNamespaceImport(bindings)) return renameBinding(source, bindings.name, names)
    return withoutAdvice(bindings.elements.flatMap((each) => renameSpecifier(source, each, names)))
  }
  if (ts.isExportDeclaration(parent)) {
    const clause = parent.exportClause
    if (!clause || !ts.isNamedExports(clause)) return adviseNames(parent, names)
    return withoutAdvice(clause.elements.flatMap((each) => renameSpecifier(source, each, names)))
  }
  if (ts.isExternalModuleReference(parent) && ts.isImportEqualsDeclaration(parent.parent))
    return renameBinding(source, parent.parent.name, names)
  if (ts.isLiteralTypeNode(parent)) return renameImportType(source, parent, names)
  if (isImportCall(source, parent)) return renameMembers(source, parent, names)
  return ts.isCallExpression(parent) ? withoutAdvice(renameMocked(source, parent, names)) : noMoves
}

const withoutAdvice = (edits: readonly TextEdit[]): SourceMoves => ({ edits, advice: [] })

function adviseNames(node: ts.Node, names: Names): SourceMoves {
  const list = Object.entries(names).map(([from, to]) => `${from} is ${to}`)
  const text = `What this module exports has other names, wherever you use it: ${list.join(", ")}.`
  return { edits: [], advice: [{ position: node.getStart(), text }] }
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

/** Renames the members of an expression or a type whose value is the module, or a promise of it. */
function renameMembers(source: ParsedSource, module: ts.Node, names: Names): SourceMoves {
  const { ts } = source
  const { parent } = module
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === "then")
    return renameCallback(source, parent.parent, names)
  if (ts.isPropertyAccessExpression(parent)) return renameNode(parent.name, names)
  if (ts.isQualifiedName(parent)) return renameNode(parent.right, names)
  if (ts.isElementAccessExpression(parent) && ts.isStringLiteral(parent.argumentExpression))
    return renameNode(parent.argumentExpression, names)
  if (ts.isVariableDeclaration(parent)) return renameBinding(source, parent.name, names)
  if (ts.isExpressionStatement(parent)) return noMoves
  const isSameValue =
    ts.isAwaitExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent)
  return isSameValue ? renameMembers(source, parent, names) : adviseNames(parent, names)
}

/** `import("@auth/express").then(({ ExpressAuth }) => …)`. */
function renameCallback(source: ParsedSource, call: ts.Node, names: Names): SourceMoves {
  const { ts } = source
  const [callback] = ts.isCallExpression(call) ? call.arguments : []
  const isFunction = callback && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))
  const [module] = isFunction ? callback.parameters : []
  return module ? renameBinding(source, module.name, names) : adviseNames(call, names)
}

/** Renames what is read from a variable whose value is the module, or from its pattern. */
function renameBinding(source: ParsedSource, binding: ts.BindingName, names: Names): SourceMoves {
  const { ts } = source
  if (ts.isIdentifier(binding)) {
    const same = findNodes(source, ts.isIdentifier).filter(
      (name) => name.text === binding.text && name !== binding && !isMemberName(ts, name),
    )
    return same.some(
      (name) => isDeclaredName(name) && !ts.isShorthandPropertyAssignment(name.parent),
    )
      ? adviseNames(binding, names)
      : mergeMoves(same.map((name) => renameMembers(source, name, names)))
  }
  if (!ts.isObjectBindingPattern(binding) || binding.elements.some((each) => each.dotDotDotToken))
    return adviseNames(binding, names)
  return mergeMoves(
    binding.elements.map(({ propertyName, name }) =>
      renameNode(propertyName ?? name, names, propertyName ? "" : `: ${name.getText()}`),
    ),
  )
}

/** Renames an identifier or a literal. */
function renameNode(node: ts.Node, names: Names, suffix = ""): SourceMoves {
  const [quote = ""] = /^["']?/.exec(node.getText()) ?? []
  const newName = names[node.getText().slice(quote.length, -quote.length || undefined)]
  return newName === undefined
    ? noMoves
    : withoutAdvice([replaceNode(node, quote + newName + quote + suffix)])
}

/** `import("@auth/express").ExpressAuthConfig` and `(typeof import("@auth/express"))["ExpressAuth"]` as types. */
function renameImportType(
  { ts }: ParsedSource,
  { parent }: ts.LiteralTypeNode,
  names: Names,
): SourceMoves {
  if (!ts.isImportTypeNode(parent)) return noMoves
  if (parent.qualifier) return renameNode(parent.qualifier, names)
  const type = ts.isParenthesizedTypeNode(parent.parent) ? parent.parent : parent
  const access = type.parent
  return ts.isIndexedAccessTypeNode(access) && ts.isLiteralTypeNode(access.indexType)
    ? renameNode(access.indexType.literal, names)
    : noMoves
}

/** `vi.mock("@auth/express", () => ({ ExpressAuth: … }))`. */
function renameMocked(source: ParsedSource, call: ts.CallExpression, names: Names): TextEdit[] {
  const { ts } = source
  return findNodes(source, ts.isIdentifier)
    .filter(({ pos, end }) => pos >= call.pos && end <= call.end)
    .flatMap((name) => {
      const { parent } = name
      const isShorthand = ts.isShorthandPropertyAssignment(parent)
      const isMember = ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)
      if (!(isShorthand || isMember) || parent.name !== name) return []
      return renameNode(name, names, isShorthand ? `: ${name.text}` : "").edits
    })
}
