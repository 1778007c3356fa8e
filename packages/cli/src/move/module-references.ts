/** Finds the modules of Auth.js in a source file, and replaces them with those of Latchkey. */
import type ts from "typescript"
import { readAddressNote } from "../provider-addresses.ts"
import { findIndent } from "./added-import.ts"
import { findModuleMove, type ModuleMove } from "./modules.ts"
import { findNextAuth4Move } from "./next-auth-4.ts"
import { renameExports } from "./renamed-exports.ts"
import {
  type Advice,
  findNodes,
  isImportCall,
  type MoveTools,
  mergeMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** A literal that names a module. */
export interface ModuleReference {
  readonly literal: ts.StringLiteralLike
  readonly specifier: string
  readonly move: ModuleMove
}

/** Returns every text that is the name of a module that moves: also in `vi.mock(…)` and in lists of bundlers. */
export function findModuleReferences(
  source: ParsedSource,
  tools: ProviderTools,
): ModuleReference[] {
  return findNodes(source, source.ts.isStringLiteralLike).flatMap((literal) => {
    const isPackage = tools.library === "next-auth-4" && isPackageName(source, literal)
    const move = isPackage
      ? findModuleMove(literal.text, tools.replaceableProviders)
      : findMove(literal.text, tools)
    if (!move || (move.kind === "unknown" && !isImported(source, literal))) return []
    return [{ literal, specifier: literal.text, move }]
  })
}

type ProviderTools = Pick<MoveTools, "replaceableProviders" | "library">

function findMove(
  specifier: string,
  { replaceableProviders, library }: ProviderTools,
): ModuleMove | undefined {
  const former =
    library === "next-auth-4" || library === "nuxt-auth"
      ? findNextAuth4Move(specifier, library, replaceableProviders)
      : undefined
  return former ?? findModuleMove(specifier, replaceableProviders)
}

/** Whether the literal is a key, or in a list, such as those of bundlers: it then names a package. */
function isPackageName({ ts }: ParsedSource, { parent }: ts.Node): boolean {
  return ts.isElementAccessExpression(parent) || ts.isArrayLiteralExpression(parent)
}

/** Whether the literal is the module of an import, an export, a declaration or a type. */
function isImported(source: ParsedSource, { parent }: ts.Node): boolean {
  const { ts } = source
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isModuleDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isLiteralTypeNode(parent) ||
    isImportCall(source, parent)
  )
}

export function replaceModules(
  source: ParsedSource,
  references: readonly ModuleReference[],
  tools: ProviderTools & Pick<MoveTools, "keepsAdapter">,
): SourceMoves {
  const { keepsAdapter } = tools
  const edits: TextEdit[] = replaceTypeReferences(source, tools)
  const advice: Advice[] = []
  const renamed: SourceMoves[] = []
  for (const { literal, move } of references) {
    const sentences = [move.advice, keepsAdapter ? adviseAddresses(source, literal) : undefined]
    for (const text of sentences) if (text) advice.push({ position: literal.getStart(), text })
    if (move.kind === "unknown") continue
    const augmentation = keepsAdapter ? findAugmentation(source, literal) : undefined
    if (augmentation) {
      edits.push(...copyAugmentation(source, augmentation, move.to))
      continue
    }
    edits.push({ start: literal.getStart() + 1, end: literal.getEnd() - 1, text: move.to })
    renamed.push(renameExports(source, literal, move.names))
    if (move.formerId) renamed.push(keepProviderId(source, literal, move.formerId))
  }
  return mergeMoves([{ edits, advice }, ...renamed])
}

/** Adds the id of a provider that has another name now to the options that it is called with. */
function keepProviderId(
  source: ParsedSource,
  literal: ts.StringLiteralLike,
  id: string,
): SourceMoves {
  const { ts } = source
  const { parent } = literal
  const name = ts.isImportDeclaration(parent) ? parent.importClause?.name?.text : undefined
  const edits = findNodes(source, ts.isCallExpression).flatMap(
    ({ expression, arguments: [options] }) => {
      const isCall = ts.isIdentifier(expression) && expression.text === name
      if (!isCall || !options || !ts.isObjectLiteralExpression(options)) return []
      const start = options.getStart() + 1
      return [{ start, end: start, text: ` id: "${id}",` }]
    },
  )
  const text = `Add \`id: "${id}"\` to this provider's options: accounts and routes have that name.`
  return { edits, advice: edits.length === 0 ? [{ position: literal.getStart(), text }] : [] }
}

/** Says that users of a provider have no address, which the adapter's tables may not allow. */
function adviseAddresses(source: ParsedSource, literal: ts.StringLiteralLike): string | undefined {
  const [, id = ""] = /\/providers\/([\w-]+)(?:\.js)?$/.exec(literal.text) ?? []
  const note = isImported(source, literal) ? readAddressNote(id) : undefined
  if (note !== "none" && note !== "unproven") return undefined
  const reason =
    note === "none"
      ? `${id} has no addresses: its users are stored without one.`
      : `${id} does not prove addresses: its users are stored without one, if people can also sign in by e-mail or password.`
  return `${reason} The column must allow null: docs/migrating.md, "Users without an address".`
}

/** Returns the `declare module` that a literal names. */
function findAugmentation(
  { ts }: ParsedSource,
  { parent }: ts.Node,
): ts.ModuleDeclaration | undefined {
  return ts.isModuleDeclaration(parent) ? parent : undefined
}

/** Declares the same in our module, unless the file does, and in `@auth/core`, for the adapters that stay. */
function copyAugmentation(
  source: ParsedSource,
  declaration: ts.ModuleDeclaration,
  target: string,
): TextEdit[] {
  const { name } = declaration
  const getBody = (each: ts.ModuleDeclaration) =>
    source.file.text.slice(each.name.getEnd(), each.getEnd())
  const body = getBody(declaration)
  const isCounterpart = (each: ts.ModuleDeclaration) =>
    each.name.text === target || (each.name.text.startsWith("@latchkey/") && getBody(each) === body)
  if (findNodes(source, source.ts.isModuleDeclaration).some(isCounterpart)) return []
  const quote = name.getText().slice(0, 1)
  const authjsModule = name.text
    .replace(/^(?:@auth\/[^/]+|next-auth)(?=\/)/, "@auth/core")
    .replace(/^(?:@auth\/(?!core$)[^/]+|next-auth)$/, "@auth/core/types")
  const start = declaration.getStart()
  const indent = findIndent(source, start)
  const copy = `declare module ${quote}${authjsModule}${quote}${body}\n\n${indent}`
  return [{ start, end: start, text: copy }, replaceNode(name, quote + target + quote)]
}

/** Replaces `/// <reference types="…" />`. */
function replaceTypeReferences({ file }: ParsedSource, tools: ProviderTools): TextEdit[] {
  return file.typeReferenceDirectives.flatMap(({ fileName, pos, end }) => {
    const move = findMove(fileName, tools)
    return move?.kind === "moved" ? [{ start: pos, end, text: move.to }] : []
  })
}
