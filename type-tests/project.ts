/** A project of somebody who installed the packages: compiled by TypeScript against the built declarations. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import ts from "typescript"

const root = resolve(import.meta.dirname, "..")

/** How the packages lie in `node_modules`: beside each other, or each with its own dependencies only. */
export type ModulesLayout = "flat" | "strict"

/** Makes a folder in which the packages are installed, and copies sources into it. */
export function createProject(sources: string, layout: ModulesLayout = "flat"): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-types-"))
  const modules = join(folder, "node_modules")
  const core = layout === "flat" ? modules : join(modules, "@latchkey/express/node_modules")
  installPackage("express", modules)
  installPackage("core", core)
  for (const name of ["jose", "oauth4webapi"]) linkPackage(name, core)
  for (const name of ["express", "@types"]) linkPackage(name, modules)
  cpSync(join(root, "type-tests", sources), folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  return folder
}

function installPackage(name: string, modules: string): void {
  const target = join(modules, "@latchkey", name)
  for (const part of ["package.json", "dist"]) {
    cpSync(join(root, "packages", name, part), join(target, part), { recursive: true })
  }
}

function linkPackage(name: string, modules: string): void {
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(root, "node_modules", name), join(modules, name))
}

/** What all projects have: everything strict, declarations to write, and those of packages (not ES and DOM) checked. */
const strictOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  composite: true,
  declaration: true,
}

/** What the compiler says of a project. */
export interface CompileResult {
  /** Each problem, such as `auth.ts:12 TS2339 Property 'role' does not exist`. */
  readonly diagnostics: string[]
  readonly instantiationCount: number
}

/** Compiles files of a folder (all, but for those of folders in it), and writes to its `dist`. */
export function compileProject(
  folder: string,
  options: ts.CompilerOptions = {},
  files: string[] = ts.sys.readDirectory(folder, [".ts"], ["node_modules", "dist"], ["*"]),
): CompileResult {
  const program = ts.createProgram(files, {
    ...strictOptions,
    rootDir: folder,
    outDir: join(folder, "dist"),
    ...options,
  })
  const { diagnostics } = program.emit()
  const allDiagnostics = ts.sortAndDeduplicateDiagnostics([
    ...ts.getPreEmitDiagnostics(program),
    ...diagnostics,
  ])
  return {
    diagnostics: allDiagnostics.map((problem) => formatDiagnostic(problem, folder)),
    instantiationCount: program.getInstantiationCount(),
  }
}

function formatDiagnostic(
  { file, start = 0, code, messageText }: ts.Diagnostic,
  folder: string,
): string {
  const text = `TS${code} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  if (!file) return text
  const { line } = file.getLineAndCharacterOfPosition(start)
  return `${relative(folder, file.fileName)}:${line + 1} ${text}`
}

/** The problems that a file asks for: each comment `refused TS…` names that of the line below it. */
export function readExpectedErrors(folder: string, name: string): string[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n")
  return lines.flatMap((line, index) => {
    const code = /\/\/ refused (TS\d+):/.exec(line)?.[1]
    return code ? [`${name}:${index + 2} ${code}`] : []
  })
}
