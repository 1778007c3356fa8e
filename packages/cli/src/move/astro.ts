/** Moves an application on `auth-astro` to the middleware of `@latchkey/fetch/astro`. */
import { posix } from "node:path"
import type ts from "typescript"
import { addProperty, findConfigObjects, findProperty, setBasePath } from "./configuration.ts"
import { findCalls, findImport, listImportedNames } from "./imported-names.ts"
import { removeElement, removeLines } from "./removals.ts"
import {
  findNodes,
  mergeMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"

export function moveAstro(source: ParsedSource): SourceMoves {
  return mergeMoves([
    convertConfig(source),
    removeIntegration(source),
    convertSessionReads(source),
    importClient(source),
  ])
}

/** Sets what the library had by default, and renames its options. */
function convertConfig(source: ParsedSource): SourceMoves {
  if (findCalls(source, "defineConfig").length === 0 || !findImport(source, "auth-astro"))
    return { edits: [], advice: [] }
  const objects = findConfigObjects(source)
  const prefixes = objects.flatMap((object) => findProperty(source, object, "prefix") ?? [])
  const secrets = objects
    .filter((object) => !findProperty(source, object, "secret"))
    .map((object) => addProperty(source, object, "secret: import.meta.env.AUTH_SECRET"))
  return {
    edits: [
      ...secrets,
      ...(prefixes.length > 0
        ? prefixes.map(({ name }) => replaceNode(name, "basePath"))
        : setBasePath(source, "/api/auth")),
    ],
    advice: objects
      .flatMap((object) => findProperty(source, object, "injectEndpoints") ?? [])
      .map((property) => ({
        position: property.getStart(),
        text: "Remove this option, and export `auth.handler` from your own route.",
      })),
  }
}

/** Whether a module is imported as an integration, which has no counterpart, and so goes. */
export function isIntegration({ ts }: ParsedSource, module: ts.StringLiteralLike): boolean {
  const { parent } = module
  const isDefault = ts.isImportDeclaration(parent) && parent.importClause?.name !== undefined
  return module.text === "auth-astro" && isDefault
}

/** Removes the integration from `astro.config.mjs`. */
function removeIntegration(source: ParsedSource): SourceMoves {
  const { ts } = source
  const declaration = findImport(source, "auth-astro")
  const name = declaration?.importClause?.name
  if (!declaration || !name) return { edits: [], advice: [] }
  const calls = findCalls(source, name.text).filter(({ parent }) =>
    ts.isArrayLiteralExpression(parent),
  )
  return {
    edits: [removeLines(source, declaration), ...calls.map((call) => removeElement(source, call))],
    advice: [],
  }
}

/** `getSession(Astro.request)` becomes `getAuth(Astro).getSession()`. */
function convertSessionReads(source: ParsedSource): SourceMoves {
  const declaration = findImport(source, "auth-astro/server")
  const specifier = listImportedNames(source, declaration).find(
    (each) => each.getText() === "getSession",
  )
  if (!specifier) return { edits: [], advice: [] }
  return mergeMoves([
    { edits: [replaceNode(specifier, "getAuth")], advice: [] },
    ...findCalls(source, "getSession").map((call) => convertSessionRead(source, call)),
  ])
}

function convertSessionRead({ ts }: ParsedSource, call: ts.CallExpression): SourceMoves {
  const [request] = call.arguments
  if (request && ts.isPropertyAccessExpression(request) && request.name.text === "request") {
    const context = request.expression.getText()
    return { edits: [replaceNode(call, `getAuth(${context}).getSession()`)], advice: [] }
  }
  const text = "Call `getAuth(context).getSession()` with the context of the route."
  return { edits: [], advice: [{ position: call.getStart(), text }] }
}

/** `auth-astro/client` becomes the client of the application, which knows the path of the actions. */
function importClient(source: ParsedSource): SourceMoves {
  const { ts, file } = source
  const folder = posix.dirname(file.fileName)
  const [sourceFolder = "src"] = /^(?:.*\/)?src(?=\/)/.exec(file.fileName) ?? []
  const path = posix.relative(folder, posix.join(sourceFolder, "auth-client"))
  const edits = findNodes(source, ts.isStringLiteralLike)
    .filter(({ text }) => text === "auth-astro/client")
    .map((literal) => ({
      start: literal.getStart() + 1,
      end: literal.end - 1,
      text: path.startsWith(".") ? path : `./${path}`,
    }))
  return { edits, advice: [] }
}
