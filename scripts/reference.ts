/**
 * Writes the reference of all options into `docs/configuration.md`, from the types and their comments.
 * With `--check` it only tells whether the page is current.
 */
import { readFileSync } from "node:fs"
import ts from "typescript"
import { writeGenerated } from "./generated.ts"

const SOURCES = ["config/auth-config.ts", "types.ts", "cookie-types.ts", "crypto/jwt.ts"]

/** The tables, in their order: a heading, and the interface that it shows. */
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

const statements = SOURCES.flatMap((name) => statementsOf(`packages/core/src/${name}`))
const interfaces = byName(statements.filter(ts.isInterfaceDeclaration))
const aliases = byName(statements.filter(ts.isTypeAliasDeclaration))
const text = TABLES.map(([prefix, name]) => table(prefix, name)).join("\n\n")
writeGenerated("docs/configuration.md", "options", text)

function statementsOf(file: string): ts.Statement[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true)
  return [...source.statements]
}

function byName<Found extends { readonly name: ts.Identifier }>(
  found: Found[],
): Map<string, Found> {
  return new Map(found.map((each) => [each.name.text, each]))
}

function table(prefix: string, name: string): string {
  const found = interfaces.get(name)
  if (!found) throw new TypeError(`No interface ${name} in ${SOURCES.join(", ")}`)
  const rows = found.members.filter(isOption).map((member) => row(prefix, member))
  const heading = `### ${prefix === "" ? "All options" : `\`${prefix}\``}`
  return [heading, "", "| Option | Type | Default | Meaning |", "|---|---|---|---|", ...rows].join(
    "\n",
  )
}

type Option = ts.PropertySignature | ts.MethodSignature

function isOption(member: ts.TypeElement): member is Option {
  return ts.isPropertySignature(member) || ts.isMethodSignature(member)
}

function row(prefix: string, member: Option): string {
  const own = member.name.getText()
  const name = prefix === "" ? own : `${prefix}.${own}`
  const { meaning, standard } = commentOf(member)
  if (meaning === "" && standard === "") throw new TypeError(`${name} has no comment`)
  const cells = [`\`${name}\``, `\`${typeOf(member)}\``, standard || "–", meaning]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

function commentOf(member: Option): { meaning: string; standard: string } {
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  const tags = [...(comment?.tags ?? [])]
  const said = (tag: string): string =>
    oneLine(ts.getTextOfJSDocComment(tags.find(({ tagName }) => tagName.text === tag)?.comment))
  const deprecated = said("deprecated")
  const meaning = oneLine(ts.getTextOfJSDocComment(comment?.comment))
  return {
    meaning: deprecated ? `${meaning} Deprecated: ${deprecated}` : meaning,
    standard: said("defaultValue"),
  }
}

/** The type as one writes it; what a function gets is told by its names alone. */
function typeOf(option: Option): string {
  const called = ts.isMethodSignature(option) ? option : option.type
  if (!called) return "unknown"
  if (!ts.isMethodSignature(called) && !ts.isFunctionTypeNode(called)) return plainly(called)
  const parameters = called.parameters.map(parameterOf).join(", ")
  return `(${parameters}) => ${called.type ? plainly(called.type) : "void"}`
}

function parameterOf({ type, name, dotDotDotToken }: ts.ParameterDeclaration): string {
  const told = type && (aliases.get(plainly(type).replace(/<.*/, ""))?.type ?? type)
  if (!told || !ts.isTypeLiteralNode(told)) return `${dotDotDotToken ? "..." : ""}${name.getText()}`
  return `{ ${told.members.map((member) => member.name?.getText()).join(", ")} }`
}

/** A type in words, with what its interface's type parameters stand for when nobody says. */
function plainly(type: ts.TypeNode): string {
  const own = ts.findAncestor(type, ts.isInterfaceDeclaration)?.typeParameters ?? []
  const passedOn = `<${own.map(({ name }) => name.text).join(", ")}>`
  return own.reduce(
    (text, { name, default: standard }) =>
      text.replace(new RegExp(`\\b${name.text}\\b`, "g"), standard?.getText() ?? name.text),
    oneLine(type.getText()).replace(passedOn, ""),
  )
}

function oneLine(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim()
}
