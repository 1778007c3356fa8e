/** Finds the modules of Auth.js in a source file, and replaces them with those of Latchkey. */
import type ts from "typescript"
import { findModuleMove, type ModuleMove } from "./modules.ts"
import { renameExports } from "./renamed-exports.ts"
import {
  type Advice,
  findNodes,
  isImportCall,
  type ParsedSource,
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
  replaceableProviders: ReadonlySet<string>,
): ModuleReference[] {
  return findNodes(source, source.ts.isStringLiteralLike).flatMap((literal) => {
    const move = findModuleMove(literal.text, replaceableProviders)
    if (!move || (move.kind === "unknown" && !isImported(source, literal))) return []
    return [{ literal, specifier: literal.text, move }]
  })
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
  replaceableProviders: ReadonlySet<string>,
): SourceMoves {
  const edits: TextEdit[] = [...replaceTypeReferences(source, replaceableProviders)]
  const advice: Advice[] = []
  for (const { literal, move } of references) {
    if (move.advice !== undefined) advice.push({ position: literal.getStart(), text: move.advice })
    if (move.kind === "unknown") continue
    edits.push({ start: literal.getStart() + 1, end: literal.getEnd() - 1, text: move.to })
    edits.push(...renameExports(source, literal, move.names))
  }
  return { edits, advice }
}

/** Replaces `/// <reference types="…" />`. */
function replaceTypeReferences(
  { file }: ParsedSource,
  replaceableProviders: ReadonlySet<string>,
): TextEdit[] {
  return file.typeReferenceDirectives.flatMap(({ fileName, pos, end }) => {
    const move = findModuleMove(fileName, replaceableProviders)
    return move?.kind === "moved" ? [{ start: pos, end, text: move.to }] : []
  })
}
