/** A project of a user who installed the packages, compiled against the built declarations. */
import { execFile, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { readPublishedPackages } from "../scripts/published-packages.ts"

const root = resolve(import.meta.dirname, "..")

/** Type-checks the repository, and builds the declarations of the packages. Returns the problems. */
export function buildRepository(): Promise<string> {
  const tsc = join(root, "node_modules/@typescript/native/bin/tsc")
  return new Promise((resolveOutput) => {
    execFile(
      process.execPath,
      [tsc, "-b", "--checkers", "1", "--pretty", "false"],
      { cwd: root, maxBuffer: 2 ** 26 },
      (error, stdout) => resolveOutput(error ? stdout || error.message : ""),
    )
  })
}

/** How the packages lie in `node_modules`: beside each other, or each with its own dependencies only. */
export type ModulesLayout = "flat" | "strict"

/** Creates a folder in which the packages are installed, and copies sources into it. */
export function createProject(sources: string, layout: ModulesLayout = "flat"): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-types-"))
  const modules = join(folder, "node_modules")
  const core = layout === "flat" ? modules : join(modules, "@latchkey/express/node_modules")
  installPackage("express", modules)
  installPackage("core", core)
  for (const name of ["client", "pages"]) installPackage(name, core)
  for (const name of ["jose", "oauth4webapi"]) linkPackage(name, core)
  for (const name of ["express", "@types"]) linkPackage(name, modules)
  cpSync(join(root, "type-tests", sources), folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  return folder
}

/**
 * Creates a folder in which all packages are installed, with the dependencies of their declarations, and imports every
 * entry. It has no framework and no driver: most declarations of those need the DOM library or a newer compiler.
 */
export function createEntriesProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-entries-"))
  const modules = join(folder, "node_modules")
  for (const name of ["jose", "oauth4webapi", "kysely", "@mikro-orm", "@types"])
    linkPackage(name, modules)
  const entries = readPublishedPackages().flatMap((each) => {
    installPackage(basename(each.folder), modules)
    return Object.keys(each.exports).map((entry) => each.name + entry.slice(1))
  })
  const lines = entries
    .filter((entry) => !entry.endsWith("package.json"))
    .map((entry, index) => `export * as entry${index} from "${entry}"`)
  writeFileSync(join(folder, "entries.ts"), lines.join("\n"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  return folder
}

function installPackage(name: string, modules: string): void {
  const target = join(modules, "@latchkey", name)
  for (const part of ["package.json", "dist"]) {
    cpSync(join(root, "packages", name, part), join(target, part), { recursive: true })
  }
}

/** @param name of a package or a scope, or a path from the root's `node_modules` */
export function linkPackage(name: string, modules: string): void {
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(root, "node_modules", name), join(modules, name.replace(/.*node_modules\//, "")))
}

/** The options of all projects: everything strict, with declarations as output, and those of packages checked. */
const strictOptions = {
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  composite: true,
  declaration: true,
  rootDir: ".",
  outDir: "dist",
}

/** Settings with which TypeScript 7 compiles a small project fastest: one thread and no garbage collection. */
const fastEnv = { GOGC: "off", GOMAXPROCS: "1" }

/** The compiler of the tests: TypeScript 7, or the package that the environment names. */
const defaultCompiler = process.env["LATCHKEY_TYPESCRIPT"] ?? "@typescript/native"

export interface CompileSettings {
  /** Options of the compiler beside the strict ones. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Files of the folder; all, but for those of its folders, unless given. */
  readonly files?: readonly string[]
  /** Package of the compiler. */
  readonly compiler?: string
}

/** The result of a compilation. */
export interface CompileResult {
  /** Each problem, such as `auth.ts:12 TS2339 Property 'role' does not exist`. */
  readonly diagnostics: string[]
  readonly instantiationCount: number
}

/** Compiles files of a folder, and writes to its `dist`. */
export function compileProject(folder: string, settings: CompileSettings = {}): CompileResult {
  const { options, files, compiler = defaultCompiler } = settings
  const config = {
    compilerOptions: { ...strictOptions, ...options },
    ...(files ? { files } : { include: ["*.ts"] }),
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const tsc = join(root, "node_modules", compiler, "bin/tsc")
  const { stdout, error } = spawnSync(
    process.execPath,
    [tsc, "--project", folder, "--pretty", "false", "--extendedDiagnostics"],
    { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26, env: { ...process.env, ...fastEnv } },
  )
  const [, instantiations] = /^Instantiations:\s+(\d+)$/m.exec(stdout) ?? []
  if (instantiations === undefined) {
    throw new Error(`${compiler} did not compile the project: ${stdout}`, { cause: error })
  }
  return {
    diagnostics: stdout.split("\n").flatMap(parseDiagnostic),
    instantiationCount: Number(instantiations),
  }
}

/** Parses lines such as `auth.ts(12,3): error TS2339: Property 'role' does not exist`. */
function parseDiagnostic(line: string): string[] {
  const [, file, position, code, text] =
    /^(?:(.+)\((\d+),\d+\): )?error (TS\d+): (.*)$/.exec(line) ?? []
  if (code === undefined) return []
  return [file === undefined ? `${code} ${text}` : `${file}:${position} ${code} ${text}`]
}

/**
 * Reads the problems that a file expects: a comment `refused TS1` or, where versions of TypeScript differ,
 * `refused TS1 or TS2` names that of the line below it.
 */
export function readExpectedErrors(folder: string, name: string): RegExp[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n")
  return lines.flatMap((line, index) => {
    const codes = /\/\/ refused (TS\d+(?: or TS\d+)*):/.exec(line)?.[1]
    return codes ? [RegExp(`^${name}:${index + 2} (?:${codes.replaceAll(" or ", "|")})$`)] : []
  })
}
