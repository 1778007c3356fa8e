/** The types of the packages that list options: interfaces and object types, read from the sources without a compiler. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, normalize } from "node:path"
import ts from "typescript"

/** A type whose members are options. */
export interface OptionType {
  /** The package that declares it, such as `@latchkey/sql`. */
  readonly packageName: string
  readonly name: string
  /** Its own members, without those of types that have a table of their own. */
  readonly members: readonly OptionMember[]
  /** The types whose members it has, too. */
  readonly bases: readonly OptionBase[]
  readonly declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration
}

/** A type that another one extends. */
export interface OptionBase {
  readonly name: string
  /** The only members that the other one has. Undefined for all. */
  readonly only: readonly string[] | undefined
}

/** One option: its name, and its declaration unless it is a key of a mapped type. */
export interface OptionMember {
  readonly name: string
  readonly declaration?: OptionDeclaration
}

export type OptionDeclaration = ts.PropertySignature | ts.MethodSignature

/** Entries for our own packages, which `docs/versioning.md` does not cover, and folders of packages without others. */
const internalEntries =
  /^(?:adapter-kit|pages|create)$|^core\/src\/(?:integration|cli|test-sessions)\.ts$/

const optionTypeName = /(?:Options|Config|Params|Callbacks|Limits)$|^(?:Theme|LoggerInstance)$/

/** Types that functions return, as options for others. */
const returnedTypes = ["@latchkey/testing SmtpTransportOptions", "@latchkey/testing ClientOptions"]

/** Members that say what a type is, and are not options. */
const otherMembers = ["options", "type"]

type Declaration = OptionType["declaration"]

const sources = new Map<string, ts.SourceFile>()

function parse(file: string): ts.SourceFile {
  const known = sources.get(file)
  if (known) return known
  const text = readFileSync(file, "utf8")
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  sources.set(file, source)
  return source
}

/** Returns the types with options that the public entries of all packages export, and the types that they extend. */
export function findOptionTypes(): OptionType[] {
  const declarations = new Set(globSync("packages/*").sort().flatMap(findExportedTypes))
  for (const each of declarations) for (const base of findBases(each)) declarations.add(base)
  return [...declarations]
    .map(createOptionType)
    .filter(({ packageName, name }) => !returnedTypes.includes(`${packageName} ${name}`))
    .filter(({ members }) => members.length > 0)
}

function findExportedTypes(folder: string): Declaration[] {
  const name = folder.replace("packages/", "")
  if (internalEntries.test(name)) return []
  const { exports = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  const patterns = Object.values<{ readonly "@latchkey/source"?: string }>(exports)
    .flatMap((entry) => entry["@latchkey/source"] ?? [])
    .map((file) => normalize(join(folder, file)))
  return globSync(patterns)
    .sort()
    .filter((file) => !internalEntries.test(file.replace("packages/", "")))
    .flatMap((file) => findExports(file))
}

/** Returns the types that a module exports, also from other modules of its package. */
function findExports(file: string, only?: readonly string[]): Declaration[] {
  const isWanted = (name: string) => optionTypeName.test(name) && (only?.includes(name) ?? true)
  return parse(file).statements.flatMap((statement) => {
    if (isTypeDeclaration(statement)) {
      const isExported = statement.modifiers?.some(
        ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
      )
      return isExported && isWanted(statement.name.text) ? [statement] : []
    }
    if (!ts.isExportDeclaration(statement)) return []
    const target = resolveModule(file, statement.moduleSpecifier)
    const { exportClause } = statement
    if (!target || (exportClause && !ts.isNamedExports(exportClause))) return []
    const names = exportClause?.elements
      .map(({ propertyName, name }) => (propertyName ?? name).text)
      .filter(isWanted)
    return names?.length === 0 ? [] : findExports(target, names ?? only)
  })
}

function isTypeDeclaration(node: ts.Node): node is Declaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

/** Returns the file of an import: a relative one, or the main entry of one of our packages. */
function resolveModule(file: string, specifier: ts.Expression | undefined): string | undefined {
  if (!specifier || !ts.isStringLiteral(specifier)) return
  const [, name] = /^@latchkey\/([^/]+)$/.exec(specifier.text) ?? []
  const target = name ? `packages/${name}/src/index.ts` : join(file, "..", specifier.text)
  return existsSync(target) ? normalize(target) : undefined
}

/** Returns the interfaces of the same package that an interface extends, whole or in part. */
function findBases(declaration: Declaration): Declaration[] {
  return listHeritage(declaration).flatMap((name) => findDeclaration(declaration, name) ?? [])
}

function listHeritage(declaration: Declaration): string[] {
  if (!ts.isInterfaceDeclaration(declaration)) return []
  const types = declaration.heritageClauses?.flatMap((clause) => [...clause.types]) ?? []
  return types.map((type) => type.expression.getText())
}

/** Finds a type in the file of another one, or in the file that it imports the type from. */
export function findDeclaration(from: ts.Node, name: string): Declaration | undefined {
  const source = from.getSourceFile()
  const isFound = (statement: ts.Node): statement is Declaration =>
    isTypeDeclaration(statement) && statement.name.text === name
  const own = source.statements.find(isFound)
  if (own) return own
  const imported = source.statements
    .filter(ts.isImportDeclaration)
    .find(({ importClause }) =>
      importClause?.namedBindings?.getText().match(new RegExp(`\\b${name}\\b`)),
    )
  const target = imported && resolveModule(source.fileName, imported.moduleSpecifier)
  return target ? parse(target).statements.find(isFound) : undefined
}

function createOptionType(declaration: Declaration): OptionType {
  const [, folder = ""] = /^packages\/([^/]+)\//.exec(declaration.getSourceFile().fileName) ?? []
  const omitted = listOmitted(declaration)
  return {
    packageName: `@latchkey/${folder}`,
    name: declaration.name.text,
    members: listMembers(declaration).filter(
      ({ name }) => !omitted.includes(name) && !otherMembers.includes(name),
    ),
    bases: ts.isInterfaceDeclaration(declaration) ? listBases(declaration) : [],
    declaration,
  }
}

/** Returns the names after `Omit<AuthConfig, …>`: such an interface declares them again with a narrower type. */
function listOmitted(declaration: Declaration): string[] {
  if (!ts.isInterfaceDeclaration(declaration)) return []
  const text = declaration.heritageClauses?.map((clause) => clause.getText()).join() ?? ""
  return text.includes("Omit<") ? readStrings(text) : []
}

function listBases(declaration: ts.InterfaceDeclaration): OptionBase[] {
  const types = declaration.heritageClauses?.flatMap((clause) => [...clause.types]) ?? []
  return types.map(({ expression, typeArguments = [] }) => {
    const [first, second] = typeArguments
    const helper = expression.getText()
    const isWrapped = /^(?:Omit|Pick|Partial)$/.test(helper)
    const base = (isWrapped && first ? first : expression).getText().replace(/<.*/s, "")
    return {
      // Imports of a type with the same name are renamed so.
      name: base.replace(/^(?:Core|Base)(?=[A-Z])/, ""),
      only: helper === "Pick" ? readStrings(second?.getText() ?? "") : undefined,
    }
  })
}

function readStrings(union: string): string[] {
  return [...union.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text)
}

function listMembers(declaration: Declaration): OptionMember[] {
  if (ts.isInterfaceDeclaration(declaration)) return declaration.members.flatMap(toMember)
  return listTypeMembers(declaration, declaration.type)
}

function listTypeMembers(declaration: Declaration, type: ts.TypeNode): OptionMember[] {
  if (ts.isIntersectionTypeNode(type))
    return type.types.flatMap((part) => listTypeMembers(declaration, part))
  if (ts.isTypeLiteralNode(type)) return type.members.flatMap(toMember)
  if (!ts.isMappedTypeNode(type)) return []
  // `[Key in keyof Type]` has the members of the type; `[Key in Union]` has the values of the union.
  const [, name = ""] =
    /^(?:keyof )?(\w+)$/.exec(type.typeParameter.constraint?.getText() ?? "") ?? []
  const keys = findDeclaration(declaration, name)
  if (!keys) return []
  if (ts.isInterfaceDeclaration(keys)) return listMembers(keys)
  return readStrings(keys.type.getText()).map((key) => ({ name: key }))
}

function toMember(member: ts.TypeElement): OptionMember[] {
  if (!(ts.isPropertySignature(member) || ts.isMethodSignature(member))) return []
  return [{ name: member.name.getText(), declaration: member }]
}
