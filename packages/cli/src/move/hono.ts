/** Moves an application on `@hono/auth-js` to the middleware of `@latchkey/fetch/hono`. */
import type ts from "typescript"
import { canImport } from "./added-import.ts"
import { findConfigObjects, insert, setBasePath } from "./configuration.ts"
import {
  findCalls,
  findImport,
  getExportedName,
  listImportedNames,
  removeImportedNames,
} from "./imported-names.ts"
import { removeLines } from "./removals.ts"
import {
  type Advice,
  findNodes,
  mergeMoves,
  type ParsedSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"

type ContextFunction = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration

/** The exports of `@hono/auth-js` that `@latchkey/fetch/hono` lacks, and their replacements. */
const missingNames: Readonly<Record<string, string>> = {
  authHandler: "",
  AuthConfig: "",
  AuthUser: "the session is what `c.var.auth.requireSession()` returns",
  getAuthUser: "call `await c.var.auth.getSession()`, which returns the session or null",
  authConfigManager: "set `basePath` of `SessionProvider`",
  useOauthPopupLogin: "call `signIn`, which leaves the page",
}

export function moveHono(source: ParsedSource): SourceMoves {
  const handlers = findCalls(source, "authHandler").map((call) => call.parent)
  const basePath = handlers.map((call) => readMountPath(source, call)).find(Boolean)
  const isElsewhere = findConfigObjects(source).length === 0 && basePath !== "/api/auth"
  return mergeMoves([
    ...(isElsewhere && basePath !== undefined
      ? handlers.map((call) =>
          advise(call, `Set \`basePath: "${basePath}"\` in the configuration.`),
        )
      : []),
    { edits: setBasePath(source, basePath ?? "/api/auth"), advice: [] },
    { edits: handlers.flatMap((call) => removeHandler(source, call)), advice: [] },
    { edits: setProviderPaths(source, basePath ?? "/api/auth"), advice: [] },
    ...findCalls(source, "initAuthConfig").map((call) => convertConfig(source, call)),
    convertUserReads(source),
    removeMissingNames(source),
  ])
}

/** Reads the path of `app.use("/api/auth/*", authHandler())`. */
function readMountPath({ ts }: ParsedSource, call: ts.Node): string | undefined {
  const [path] = ts.isCallExpression(call) ? call.arguments : []
  return path && ts.isStringLiteralLike(path) ? /^(.+)\/\*$/.exec(path.text)?.[1] : undefined
}

/** The middleware responds to the actions, too, so their handler goes. */
function removeHandler(source: ParsedSource, call: ts.Node): TextEdit[] {
  const { ts } = source
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return []
  const { expression: application } = call.expression
  if (ts.isExpressionStatement(call.parent) && !ts.isCallExpression(application))
    return [removeLines(source, call.parent)]
  return [{ start: application.end, end: call.end, text: "" }]
}

/** `initAuthConfig((c) => ({ … c.env.SECRET }))` becomes `authMiddleware(FetchAuth((env) => ({ … env.SECRET })))`. */
function convertConfig(source: ParsedSource, call: ts.CallExpression): SourceMoves {
  const [config] = call.arguments
  if (!config || !canImport(source, "FetchAuth"))
    return advise(call, "Pass `FetchAuth(configuration)` of @latchkey/fetch.")
  const edits = [insert(config.getStart(), "FetchAuth("), insert(config.end, ")")]
  const imports = [{ name: "FetchAuth", module: "@latchkey/fetch" }]
  const declared = findNodes(source, source.ts.isFunctionDeclaration)
  const create = isFunction(source, config)
    ? config
    : declared.find(({ name }) => name?.text === config.getText())
  if (!create) return mergeMoves([{ edits, imports, advice: [] }, advise(config, bindingsAdvice)])
  return mergeMoves([{ edits, imports, advice: [] }, passBindings(source, create)])
}

const bindingsAdvice =
  "`FetchAuth` calls this function with the bindings, `c.env`, instead of the context."

/** Replaces the context, of which a configuration may only read the bindings. */
function passBindings(source: ParsedSource, create: ContextFunction): SourceMoves {
  const { ts } = source
  const [parameter] = create.parameters
  if (!parameter || !create.body) return { edits: [], advice: [] }
  const { name } = parameter
  if (!ts.isIdentifier(name)) return advise(parameter, bindingsAdvice)
  const { body } = create
  const uses = findNodes(source, ts.isIdentifier).filter(
    (each) => each.text === name.text && each.pos >= body.pos && each.end <= body.end,
  )
  const isBindings = ({ parent }: ts.Node) =>
    ts.isPropertyAccessExpression(parent) && parent.name.text === "env"
  const others = uses.filter((use) => !isBindings(use))
  if (others[0]) return advise(others[0], bindingsAdvice)
  if (uses.length === 0) return { edits: [], advice: [] }
  const context = parameter.type?.getText() ?? ""
  const bindings = /^Context<(.+)>$/s.exec(context)?.[1]
  const type = bindings ? `(${bindings})["Bindings"]` : "Record<string, string>"
  const isTyped = /\.[cm]?tsx?$/.test(source.file.fileName)
  return {
    edits: [
      replaceNode(parameter, isTyped ? `env: ${type}` : "env"),
      ...uses.map((use) => replaceNode(use.parent, "env")),
    ],
    advice: [],
  }
}

/** `c.get("authUser")` becomes the session that the guard has found. */
function convertUserReads(source: ParsedSource): SourceMoves {
  const { ts } = source
  const reads = [
    ...findNodes(source, ts.isCallExpression).filter(({ expression, arguments: [key] }) => {
      const isGet = ts.isPropertyAccessExpression(expression) && expression.name.text === "get"
      return isGet && key && ts.isStringLiteralLike(key) && key.text === "authUser"
    }),
    ...findNodes(source, ts.isPropertyAccessExpression).filter(
      ({ name, expression }) => name.text === "authUser" && /^\w+\.var$/.test(expression.getText()),
    ),
  ]
  const handlers = new Set<ts.Node>()
  const moves = reads.map((read): SourceMoves => {
    const handler = findHandler(source, read)
    if (!handler) return advise(read, "Call `await c.var.auth.requireSession()`.")
    handlers.add(handler)
    const context = /^\w+/.exec(read.getText())?.[0]
    const session = `await ${context}.var.auth.requireSession()`
    const { parent } = read
    if (ts.isPropertyAccessExpression(parent) && parent.name.text === "session")
      return { edits: [replaceNode(parent, `(${session})`)], advice: [] }
    const edits = [replaceNode(read, `{ session: ${session} }`)]
    return { edits, advice: isReadAsSession(source, parent) ? [] : advise(read, userAdvice).advice }
  })
  const edits = [...handlers]
    .filter((handler) => !/^async\b/.test(handler.getText()))
    .map((handler) => insert(handler.getStart(), "async "))
  return mergeMoves([
    ...moves,
    { edits, advice: [] },
    reads.length > 0 || findCalls(source, "initAuthConfig").length > 0
      ? typeApplications(source)
      : { edits: [], advice: [] },
  ])
}

const userAdvice =
  "`authUser` also had `token` and `user`: put what you need into the session, with the callback `session`."

/** Returns the function around a node, if it is passed to a call, as handlers are. */
function findHandler(source: ParsedSource, node: ts.Node): ts.Node | undefined {
  for (let current = node.parent; current; current = current.parent)
    if (isFunction(source, current))
      return source.ts.isCallExpression(current.parent) ? current : undefined
  return undefined
}

/** Whether a variable is only used as `user.session`, or its pattern has only that. */
function isReadAsSession(source: ParsedSource, declaration: ts.Node): boolean {
  const { ts } = source
  if (!ts.isVariableDeclaration(declaration)) return false
  const { name } = declaration
  if (ts.isObjectBindingPattern(name))
    return name.elements.every((each) => (each.propertyName ?? each.name).getText() === "session")
  return findNodes(source, ts.isIdentifier)
    .filter((each) => each.text === name.getText() && each !== name)
    .every(({ parent }) => ts.isPropertyAccessExpression(parent) && parent.name.text === "session")
}

/** `new Hono()` becomes `new Hono<AuthEnv>()`. */
function typeApplications(source: ParsedSource): SourceMoves {
  const { ts, file } = source
  const isTyped = /\.[cm]?tsx?$/.test(file.fileName)
  const created = findNodes(source, ts.isNewExpression).filter(
    ({ expression }) => isTyped && expression.getText() === "Hono",
  )
  const edits = created.map(({ expression, typeArguments: [type] = [] }) =>
    type ? insert(type.end, " & AuthEnv") : insert(expression.end, "<AuthEnv>"),
  )
  const authEnv = { name: "AuthEnv", module: "@latchkey/fetch/hono", isType: true }
  return { edits, advice: [], imports: created.length > 0 ? [authEnv] : [] }
}

/** Removes imported names that have no counterpart, and says what replaces them where they are used. */
function removeMissingNames(source: ParsedSource): SourceMoves {
  const modules = ["@hono/auth-js", "@hono/auth-js/react"]
  return mergeMoves(
    modules.flatMap((module) => {
      const declaration = findImport(source, module)
      if (!declaration) return []
      const missing = listImportedNames(source, declaration).filter(
        (each) => getExportedName(each) in missingNames,
      )
      const isConfigUsed = missing.some((each) => getExportedName(each) === "AuthConfig")
      const advice = missing.flatMap((each): Advice[] => {
        const sentence = missingNames[getExportedName(each)]
        const position = findUse(source, each)?.getStart() ?? each.getStart()
        return sentence ? [{ position, text: `Instead of ${each.getText()}, ${sentence}.` }] : []
      })
      return {
        edits: removeImportedNames(source, declaration, (name) => name in missingNames),
        advice,
        imports: isConfigUsed
          ? [{ name: "AuthConfig", module: "@latchkey/fetch", isType: true, isReplacement: true }]
          : [],
      }
    }),
  )
}

function findUse(source: ParsedSource, { name }: ts.ImportSpecifier): ts.Node | undefined {
  return findNodes(source, source.ts.isIdentifier).find(
    (each) => each.text === name.text && each !== name,
  )
}

/** `<SessionProvider>` requests the actions at the path of the library that is replaced. */
function setProviderPaths(source: ParsedSource, basePath: string): TextEdit[] {
  const { ts } = source
  if (!findImport(source, "@hono/auth-js/react")) return []
  return [
    ...findNodes(source, ts.isJsxOpeningElement),
    ...findNodes(source, ts.isJsxSelfClosingElement),
  ]
    .filter(({ tagName, attributes }) => {
      const hasPath = attributes.getText().includes("basePath")
      return tagName.getText() === "SessionProvider" && !hasPath
    })
    .map(({ tagName }) => insert(tagName.end, ` basePath="${basePath}"`))
}

function isFunction(
  { ts }: ParsedSource,
  node: ts.Node,
): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}

function advise(node: ts.Node, text: string): SourceMoves {
  return { edits: [], advice: [{ position: node.getStart(), text }] }
}
