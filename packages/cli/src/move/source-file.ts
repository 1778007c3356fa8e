/** A parsed source file, and what `latchkey move` wants to change in it. */
import type ts from "typescript"
import type { SourceLibrary } from "./source-library.ts"
import type { TextEdit } from "./text-edits.ts"
import type { TypeScript } from "./typescript.ts"

export interface MoveTools {
  readonly ts: TypeScript
  /** The ids of the providers whose definitions are replaced by Latchkey's. */
  readonly replaceableProviders: ReadonlySet<string>
  /** The package that exports `isServer`: Qwik 2 has another name. */
  readonly qwikModule: "@builder.io/qwik" | "@qwik.dev/core"
  /** Whether a database adapter of Auth.js stays, whose types come from `@auth/core`. */
  readonly keepsAdapter: boolean
  /** The library of the package that the source belongs to. */
  readonly library: SourceLibrary
}

/** Something to change or check by hand. */
export interface Advice {
  /** The position in the text of the file. */
  readonly position: number
  readonly text: string
}

/** The changes to a file. */
export interface SourceMoves {
  readonly edits: readonly TextEdit[]
  readonly advice: readonly Advice[]
  /** The imports of the changed code. */
  readonly imports?: readonly AddedImport[]
}

export interface AddedImport {
  readonly name: string
  readonly module: string
  readonly isType?: boolean
  /** Whether another import of the name is removed. */
  readonly isReplacement?: boolean
}

/** A file of the project. */
export interface SourceText {
  /** The path from the folder of the project, with `/`. */
  readonly path: string
  readonly text: string
  /** False if the text lacks characters of the file, which has another encoding. */
  readonly isUtf8?: boolean
}

/** A file with what it contains after the move. */
export interface MovedFile {
  readonly after: string
  readonly advice: readonly Advice[]
  /** Whether a lock file may contain versions that are too old now. */
  readonly needsUpdate?: boolean
}

/** A file with what changes in it. */
export interface FileMove extends SourceText, MovedFile {
  /** Whether the project has no such file yet. */
  readonly isNew?: boolean
}

export const noMoves: SourceMoves = { edits: [], advice: [] }

export function mergeMoves(moves: readonly SourceMoves[]): SourceMoves {
  return {
    edits: moves.flatMap(({ edits }) => edits),
    advice: moves.flatMap(({ advice }) => advice),
    imports: moves.flatMap(({ imports = [] }) => imports),
  }
}

/** The file, with the version of TypeScript that parsed it. */
export interface ParsedSource {
  readonly ts: TypeScript
  readonly file: ts.SourceFile
  /** Whether another part of the file, such as the markup of a component, may use its names. */
  readonly isPartial: boolean
}

/** Parses a source; undefined if it has syntax errors. */
export function parseSource(
  ts: TypeScript,
  path: string,
  text: string,
  isPartial = false,
): ParsedSource | undefined {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  // TypeScript has had this member since its first versions, but its types leave it out.
  const { parseDiagnostics = [] } = file as { readonly parseDiagnostics?: readonly unknown[] }
  return parseDiagnostics.length > 0 ? undefined : { ts, file, isPartial }
}

/** Returns the nodes for which `test` holds, also those in JSDoc comments, in the order of the text. */
export function findNodes<T extends ts.Node>(
  { file }: ParsedSource,
  test: (node: ts.Node) => node is T,
): T[] {
  const found: T[] = []
  const visit = (node: ts.Node): void => {
    if (test(node)) found.push(node)
    // Unlike `forEachChild`, this includes comments.
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  return found
}

/** Replaces the text of a node. */
export function replaceNode(node: ts.Node, text: string): TextEdit {
  return { start: node.getStart(), end: node.getEnd(), text }
}

/** Whether the node is `import(…)`, `require(…)` or a call that returns a mocked module, such as `vi.importActual(…)`. */
export function isImportCall({ ts }: ParsedSource, node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      /^require$|\.(import|require)(Actual|Mock)$/.test(node.expression.getText()))
  )
}
