/** Renders tables of options from their types and doc comments. */
import ts from "typescript"
import {
  findDeclaration,
  type OptionDeclaration,
  type OptionMember,
  type OptionType,
} from "./option-types.ts"

const printer = ts.createPrinter({ removeComments: true })

/** Renders the comment that names the type of a table, and the table. Each name begins with the prefix and a dot. */
export function renderOptionTable({ packageName, name, members }: OptionType, prefix = ""): string {
  const rows = members.map((member) => renderRow(prefix, member))
  return [
    `<!-- options: ${packageName} ${name} -->`,
    "",
    // The type comes last, because it is often long.
    "| Option | Meaning | Default | Type |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n")
}

/** Returns the text of a doc comment in one line. */
export function readComment(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return toSingleLine(ts.getTextOfJSDocComment(comment?.comment)).replaceAll(
    /\{@link (?:\w+\.)?(\w+)\}/g,
    "`$1`",
  )
}

function renderRow(prefix: string, { name: optionName, declaration }: OptionMember): string {
  const name = prefix === "" ? optionName : `${prefix}.${optionName}`
  if (!declaration) throw new TypeError(`${name} is no member with a type of its own.`)
  const meaning = readMeaning(declaration)
  const standard = readTag(declaration, "defaultValue")
  if (meaning === "") throw new TypeError(`${name} has no comment.`)
  const cells = [`\`${name}\``, meaning, standard || "–", `\`${renderType(declaration)}\``]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

/** Returns the text of the comment. Pages that it names become links, which work in `docs`. */
function readMeaning(declaration: OptionDeclaration): string {
  const deprecated = readTag(declaration, "deprecated")
  const text = readComment(declaration) + (deprecated && ` Deprecated: ${deprecated}`)
  return text.replaceAll(/\bdocs\/([\w-]+\.md)/g, "[$1]($1)")
}

function readTag(declaration: OptionDeclaration, name: string): string {
  const tag = ts.getJSDocTags(declaration).find(({ tagName }) => tagName.text === name)
  return toSingleLine(ts.getTextOfJSDocComment(tag?.comment))
}

/** Renders a type. For functions, only the names of the parameters are shown. */
function renderType(option: OptionDeclaration): string {
  const functionType = ts.isMethodSignature(option) ? option : option.type
  if (!functionType) return "unknown"
  if (!ts.isMethodSignature(functionType) && !ts.isFunctionTypeNode(functionType))
    return renderPlainType(functionType)
  const parameters = functionType.parameters.map(renderParameter).join(", ")
  return `(${parameters}) => ${functionType.type ? renderPlainType(functionType.type) : "void"}`
}

function renderParameter({ type, name, dotDotDotToken }: ts.ParameterDeclaration): string {
  const alias = type && findDeclaration(type, renderPlainType(type).replace(/<.*/, ""))
  const parameterType = alias && ts.isTypeAliasDeclaration(alias) ? alias.type : type
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
    toSingleLine(printer.printNode(ts.EmitHint.Unspecified, type, type.getSourceFile()))
      .replaceAll("; }", " }")
      .replace(typeArguments, ""),
  )
}

function toSingleLine(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim()
}
