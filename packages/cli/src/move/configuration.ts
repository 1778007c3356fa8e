/** Changes the options of a configuration that Latchkey reads in another way. */
import type ts from "typescript"
import { canImport } from "./added-import.ts"
import {
  type Advice,
  findNodes,
  mergeMoves,
  noMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Returns the objects with `providers`, in a file that uses Auth.js. */
export function findConfigObjects(source: ParsedSource): ts.ObjectLiteralExpression[] {
  const objects = findNodes(source, source.ts.isObjectLiteralExpression)
  return objects.filter((object) => findProperty(source, object, "providers") !== undefined)
}

export function moveConfiguration(
  source: ParsedSource,
  {
    basePathWasIgnored,
    hasAuthjsLogger,
  }: { readonly basePathWasIgnored: boolean; readonly hasAuthjsLogger: boolean },
): SourceMoves {
  return mergeMoves(
    findConfigObjects(source).flatMap((object) => [
      // The logger of NextAuth.js 4 receives a code first, as ours.
      hasAuthjsLogger ? convertLogger(source, object) : noMoves,
      {
        edits: [...convertPages(source, object), ...convertNumbers(source, object)],
        advice: basePathWasIgnored ? adviseBasePath(source, object) : [],
      },
    ]),
  )
}

/** Finds a property, `name: value` or `name`. */
export function findProperty(
  { ts }: ParsedSource,
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.PropertyAssignment | ts.ShorthandPropertyAssignment | undefined {
  return object.properties
    .filter((member) => ts.isPropertyAssignment(member) || ts.isShorthandPropertyAssignment(member))
    .find((member) => member.name.getText().replace(/^["']|["']$/g, "") === name)
}

/** Returns the object literal that a property has as its value. */
function findObject(
  source: ParsedSource,
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralExpression | undefined {
  const { ts } = source
  const property = findProperty(source, object, name)
  if (!property || !ts.isPropertyAssignment(property)) return
  return ts.isObjectLiteralExpression(property.initializer) ? property.initializer : undefined
}

/** `error` of a logger of Auth.js receives an error; ours a code first. */
function convertLogger(source: ParsedSource, object: ts.ObjectLiteralExpression): SourceMoves {
  const { ts } = source
  const property = findProperty(source, object, "logger")
  if (!property) return noMoves
  const value = ts.isPropertyAssignment(property) ? property.initializer : property.name
  if (/^(fromAuthjsLogger\(|undefined$)/.test(value.getText())) return noMoves
  if (ts.isObjectLiteralExpression(value) && !hasErrorMember(value)) return noMoves
  if (!canImport(source, "fromAuthjsLogger"))
    return { edits: [], advice: [{ position: property.getStart(), text: loggerAdvice }] }
  const name = ts.isPropertyAssignment(property) ? "" : "logger: "
  return {
    edits: [insert(value.getStart(), `${name}fromAuthjsLogger(`), insert(value.getEnd(), ")")],
    advice: [],
    imports: [{ name: "fromAuthjsLogger", module: "@latchkey/core/authjs" }],
  }
}

const loggerAdvice = "Wrap the logger in `fromAuthjsLogger(…)` of @latchkey/core/authjs."

function hasErrorMember({ properties }: ts.ObjectLiteralExpression): boolean {
  return properties.some(({ name }) => name === undefined || name.getText() === "error")
}

/** `pages: { signIn: "login" }` becomes `"/login"`. */
function convertPages(source: ParsedSource, object: ts.ObjectLiteralExpression): TextEdit[] {
  return listTexts(source, findObject(source, object, "pages"))
    .filter(({ text }) => text !== "" && !text.startsWith("/") && !URL.canParse(text))
    .map((literal) => insert(literal.getStart() + 1, "/"))
}

/** `maxAge: "3600"` becomes `3600`. */
function convertNumbers(source: ParsedSource, object: ts.ObjectLiteralExpression): TextEdit[] {
  const literals = ["session", "jwt"].flatMap((name) =>
    listTexts(source, findObject(source, object, name)),
  )
  return literals
    .filter(({ text }) => /^\d+$/.test(text))
    .map((literal) => replaceNode(literal, literal.text))
}

function listTexts(
  { ts }: ParsedSource,
  object: ts.ObjectLiteralExpression | undefined,
): ts.StringLiteralLike[] {
  return (object?.properties ?? []).flatMap((member) =>
    ts.isPropertyAssignment(member) && ts.isStringLiteralLike(member.initializer)
      ? [member.initializer]
      : [],
  )
}

function adviseBasePath(source: ParsedSource, object: ts.ObjectLiteralExpression): Advice[] {
  const property = findProperty(source, object, "basePath")
  if (!property || /["'`]\/auth["'`]$/.test(property.getText())) return []
  const text = "Auth.js ignored this basePath and used /auth; Latchkey uses it: remove it."
  return [{ position: property.getStart(), text }]
}

export function insert(position: number, text: string): TextEdit {
  return { start: position, end: position, text }
}

/** Sets the path of the actions in the configurations of a file, unless they have one. */
export function setBasePath(source: ParsedSource, basePath: string): TextEdit[] {
  return findConfigObjects(source).flatMap((object) => {
    if (findProperty(source, object, "basePath")) return []
    return [addProperty(source, object, `basePath: "${basePath}"`)]
  })
}

/** Adds a property in front of the others, on a line of its own if they have one. */
export function addProperty(
  { file }: ParsedSource,
  object: ts.ObjectLiteralExpression,
  property: string,
): TextEdit {
  const start = object.getStart() + 1
  const [space] = /^(?:\r?\n[ \t]*)?/.exec(file.text.slice(start)) ?? []
  return insert(start, `${space || " "}${property},`)
}
