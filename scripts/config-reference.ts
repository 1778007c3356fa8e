/**
 * Writes the reference of all options into `docs/configuration.md`, from the types and their comments.
 * With `--check` it only checks whether the page is up to date.
 */
import { readFileSync } from "node:fs"
import ts from "typescript"
import { writeGeneratedSection } from "./generated-sections.ts"

const SOURCES = [
  "core/src/config/auth-config.ts",
  "core/src/types.ts",
  "core/src/crypto/jwt.ts",
  "pages/src/theme/theme.ts",
]

/** The tables in their order: a heading, and its interface. */
const TABLES = [
  ["", "AuthConfig"],
  ["session", "SessionOptions"],
  ["jwt", "JWTOptions"],
  ["callbacks", "CallbacksOptions"],
  ["events", "EventCallbacks"],
  ["pages", "PagesOptions"],
  ["theme", "Theme"],
  ["cookies", "CookiesOptions"],
  ["logger", "LoggerInstance"],
] as const

const statements = SOURCES.flatMap((name) => parseStatements(`packages/${name}`))
const interfaces = indexByName(statements.filter(ts.isInterfaceDeclaration))
const aliases = indexByName(statements.filter(ts.isTypeAliasDeclaration))
const tables = TABLES.map(([prefix, name]) => renderTable(prefix, name)).join("\n\n")
writeGeneratedSection("docs/configuration.md", "options", tables)

function parseStatements(file: string): ts.Statement[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true)
  return [...source.statements]
}

function indexByName<Found extends { readonly name: ts.Identifier }>(
  found: Found[],
): Map<string, Found> {
  return new Map(found.map((each) => [each.name.text, each]))
}

function renderTable(prefix: string, name: string): string {
  const foundInterface = interfaces.get(name)
  if (!foundInterface) throw new TypeError(`No interface ${name} in ${SOURCES.join(", ")}`)
  const rows = foundInterface.members.filter(isOption).map((member) => renderRow(prefix, member))
  const heading = `### ${prefix === "" ? "All options" : `\`${prefix}\``}`
  return [heading, "", "| Option | Type | Default | Meaning |", "|---|---|---|---|", ...rows].join(
    "\n",
  )
}

type Option = ts.PropertySignature | ts.MethodSignature

function isOption(member: ts.TypeElement): member is Option {
  return ts.isPropertySignature(member) || ts.isMethodSignature(member)
}

function renderRow(prefix: string, member: Option): string {
  const optionName = member.name.getText()
  const name = prefix === "" ? optionName : `${prefix}.${optionName}`
  const { meaning, standard } = parseComment(member)
  if (meaning === "" && standard === "") throw new TypeError(`${name} has no comment`)
  const cells = [`\`${name}\``, `\`${renderType(member)}\``, standard || "–", meaning]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

function parseComment(member: Option): { meaning: string; standard: string } {
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  const tags = [...(comment?.tags ?? [])]
  const readTag = (tag: string): string =>
    toSingleLine(
      ts.getTextOfJSDocComment(tags.find(({ tagName }) => tagName.text === tag)?.comment),
    )
  const deprecated = readTag("deprecated")
  const meaning = toSingleLine(ts.getTextOfJSDocComment(comment?.comment))
  return {
    meaning: deprecated ? `${meaning} Deprecated: ${deprecated}` : meaning,
    standard: readTag("defaultValue"),
  }
}

/** Renders a type. For functions, only the names of the parameters are shown. */
function renderType(option: Option): string {
  const functionType = ts.isMethodSignature(option) ? option : option.type
  if (!functionType) return "unknown"
  if (!ts.isMethodSignature(functionType) && !ts.isFunctionTypeNode(functionType))
    return renderPlainType(functionType)
  const parameters = functionType.parameters.map(renderParameter).join(", ")
  return `(${parameters}) => ${functionType.type ? renderPlainType(functionType.type) : "void"}`
}

function renderParameter({ type, name, dotDotDotToken }: ts.ParameterDeclaration): string {
  const parameterType =
    type && (aliases.get(renderPlainType(type).replace(/<.*/, ""))?.type ?? type)
  if (!parameterType || !ts.isTypeLiteralNode(parameterType))
    return `${dotDotDotToken ? "..." : ""}${name.getText()}`
  return `{ ${parameterType.members.map((member) => member.name?.getText()).join(", ")} }`
}

/** Renders a type as text, with the defaults of its type parameters. */
function renderPlainType(type: ts.TypeNode): string {
  const typeParameters = ts.findAncestor(type, ts.isInterfaceDeclaration)?.typeParameters ?? []
  const typeArguments = `<${typeParameters.map(({ name }) => name.text).join(", ")}>`
  return typeParameters.reduce(
    (text, { name, default: standard }) =>
      text.replace(new RegExp(`\\b${name.text}\\b`, "g"), standard?.getText() ?? name.text),
    toSingleLine(type.getText()).replace(typeArguments, ""),
  )
}

function toSingleLine(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim()
}
