/** Moves an application on `@sidebase/nuxt-auth`, in its mode `authjs`, to the handler of `@latchkey/fetch/h3`. */
import { posix } from "node:path"
import type ts from "typescript"
import { setBasePath } from "./configuration.ts"
import { findCalls, findImport, removeImportedNames } from "./imported-names.ts"
import { removeElement } from "./removals.ts"
import {
  type Advice,
  type FileMove,
  findNodes,
  mergeMoves,
  noMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
  type SourceText,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

/** Functions that Nuxt imports by itself, with what replaces them. */
const missingFunctions: Readonly<Record<string, string>> = {
  useAuth:
    "`useAuth` has no counterpart: call the functions of @latchkey/fetch/client, and read the session in a server route",
  useAuthState:
    "`useAuthState` has no counterpart: read the session in a server route, with `useRequestFetch()`",
  getToken:
    "`getToken` has no counterpart: put what you need into the session, with the callback `session`",
}

/** Returns what stops the move of an application: it does not use Auth.js. */
export function findNuxtObstacle(
  manifest: SourceText,
  files: readonly SourceText[],
): Advice | undefined {
  const position = manifest.text.indexOf('"@sidebase/nuxt-auth":')
  if (position < 0 || files.some(({ text }) => text.includes("NuxtAuthHandler"))) return undefined
  const text =
    "@sidebase/nuxt-auth signs in at an API of your own here, not with Auth.js: everything in this folder stays as it is."
  return { position, text }
}

export function moveNuxt(source: ParsedSource): SourceMoves {
  const declaration = findImport(source, "#auth")
  const converted = ["NuxtAuthHandler", "getServerSession"]
  return mergeMoves([
    ...findCalls(source, "NuxtAuthHandler").map((call) => convertHandler(source, call)),
    convertSessionReads(source),
    {
      edits: [
        ...(declaration
          ? removeImportedNames(source, declaration, (name) => converted.includes(name))
          : []),
        ...callProviders(source),
      ],
      advice: adviseMissing(source),
    },
    removeModule(source),
  ])
}

/** `export default NuxtAuthHandler({ … })` becomes `export const auth = FetchAuth({ … })`, and its handler. */
function convertHandler(source: ParsedSource, call: ts.CallExpression): SourceMoves {
  const { parent } = call
  if (!source.ts.isExportAssignment(parent)) {
    const text = "Export `auth = FetchAuth(configuration)` of @latchkey/fetch, and its handler."
    return { edits: [], advice: [{ position: call.getStart(), text }] }
  }
  const end = parent.getText().endsWith(";") ? ";" : ""
  const handler = `\n\nexport default defineEventHandler(authHandler(auth))${end}`
  return {
    edits: [
      ...setBasePath(source, "/api/auth"),
      { start: parent.getStart(), end: call.expression.end, text: "export const auth = FetchAuth" },
      { start: parent.end, end: parent.end, text: handler },
    ],
    advice: [],
    imports: [
      { name: "FetchAuth", module: "@latchkey/fetch" },
      { name: "authHandler", module: "@latchkey/fetch/h3" },
    ],
  }
}

/** `getServerSession(event)` becomes `getAuth(event).getSession()`. */
function convertSessionReads(source: ParsedSource): SourceMoves {
  if (!findImport(source, "#auth")) return noMoves
  const calls = findCalls(source, "getServerSession")
  return {
    edits: calls.flatMap((call) => [
      replaceNode(call.expression, "getAuth"),
      { start: call.end, end: call.end, text: ".getSession()" },
    ]),
    advice: [],
    imports: calls.length > 0 ? [{ name: "getAuth", module: "@latchkey/fetch/h3" }] : [],
  }
}

/** Removes the module and its options from `nuxt.config.ts`. */
function removeModule(source: ParsedSource): SourceMoves {
  const { ts } = source
  const modules = findNodes(source, ts.isStringLiteralLike).filter(
    ({ text, parent }) => text === "@sidebase/nuxt-auth" && ts.isArrayLiteralExpression(parent),
  )
  const options = findNodes(source, ts.isPropertyAssignment).filter(
    ({ name, parent }) =>
      name.getText() === "auth" && parent.parent === modules[0]?.parent.parent.parent.parent,
  )
  // Its middleware guards all pages, if it is enabled.
  const guards = options.filter(({ initializer }) =>
    /\bglobalAppMiddleware\b(?!\s*:\s*false)/.test(initializer.getText()),
  )
  return {
    edits: [...modules, ...options].map((node) => removeElement(source, node)),
    advice: guards.map((option) => ({ position: option.getStart(), text: globalGuardAdvice })),
  }
}

const globalGuardAdvice =
  "`globalAppMiddleware` guarded all pages, and nothing does now: let the server routes that they read call `getAuth(event).requireSession()`."

/** `GithubProvider.default({ … })` becomes `GithubProvider({ … })`, which has no type error. */
function callProviders(source: ParsedSource): TextEdit[] {
  const { ts, file } = source
  const accesses = findNodes(source, ts.isPropertyAccessExpression).filter(
    ({ name, parent }) => name.text === "default" && ts.isCallExpression(parent),
  )
  return accesses.flatMap((access) => {
    const lineStart = file.text.lastIndexOf("\n", access.getStart()) + 1
    const comment = /[ \t]*\/\/ @ts-expect-error.*\r?\n$/.exec(file.text.slice(0, lineStart))
    const removed = { start: access.expression.end, end: access.end, text: "" }
    return comment ? [{ start: comment.index, end: lineStart, text: "" }, removed] : [removed]
  })
}

/** Lists what has no counterpart. */
function adviseMissing(source: ParsedSource): Advice[] {
  const { ts } = source
  const calls = findNodes(source, ts.isCallExpression)
  const guards = calls.filter(
    ({ expression, arguments: [options] }) =>
      expression.getText() === "definePageMeta" && /\bauth\s*:/.test(options?.getText() ?? ""),
  )
  const missing = calls.flatMap(({ expression }) => {
    const sentence = missingFunctions[expression.getText()]
    return sentence ? [{ position: expression.getStart(), text: `${sentence}.` }] : []
  })
  return [...missing, ...guards.map((guard) => ({ position: guard.getStart(), text: guardAdvice }))]
}

const guardAdvice =
  "Pages have no guard: let the server routes that they read call `getAuth(event).requireSession()`."

/** Lists the file through which all other routes get `event.context.auth`. */
export function listNuxtFiles(handler: SourceText): FileMove[] {
  const [, folder, name] =
    /^(.*\bserver)\/api\/auth\/(\[\.\.\.\w*\])\.[jt]s$/.exec(handler.path) ?? []
  if (folder === undefined) return []
  const after = `import { authHandler } from "@latchkey/fetch/h3"
import { auth } from "../api/auth/${name}"

export default defineEventHandler(authHandler(auth))
`
  const path = posix.join(folder, `middleware/0.auth${posix.extname(handler.path)}`)
  return [{ path, text: "", after, advice: [], isNew: true }]
}
