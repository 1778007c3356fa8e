/** Finds the configuration that the doctor can load after the move. */

import type ts from "typescript"
import { findConfigObjects } from "./configuration.ts"
import { type FileMove, type ParsedSource, parseSource } from "./source-file.ts"
import type { TypeScript } from "./typescript.ts"

/** An exported configuration. */
export interface ExportedConfig {
  readonly file: string
  readonly export: string
}

export function findExportedConfig(
  typescript: TypeScript,
  files: readonly FileMove[],
): ExportedConfig | undefined {
  for (const { path, text } of files) {
    const source = /\.[cm]?[jt]s$/.test(path) ? parseSource(typescript, path, text) : undefined
    const names = source
      ? findConfigObjects(source).map((object) => findExport(source, object))
      : []
    const name = names.find((exportName) => exportName !== undefined)
    if (name !== undefined) return { file: path, export: name }
  }
  return undefined
}

/** Returns the name under which `export const authConfig = {…}` or `export default {…}` exports an object. */
function findExport(source: ParsedSource, object: ts.Node): string | undefined {
  const { ts } = source
  const { parent } = object
  if (ts.isExportAssignment(parent)) return "default"
  if (ts.isSatisfiesExpression(parent) || ts.isAsExpression(parent))
    return findExport(source, parent)
  if (!ts.isVariableDeclaration(parent)) return undefined
  const statement = parent.parent.parent
  const isExported =
    ts.isVariableStatement(statement) &&
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  return isExported ? parent.name.getText() : undefined
}
