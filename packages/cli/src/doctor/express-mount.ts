/** Finds the path at which an Express application mounts the middleware, by reading its sources. */
import type { Mount, Source } from "./sources.ts"

/** A call such as `app.use(path, middleware)`. */
interface Call {
  /** The object of the call, as it is written: `app`, or `express().disable("etag")`. */
  readonly receiver: string
  /** The variable that contains the receiver; empty if there is none. */
  readonly variable: string
  readonly method: string
  /** The arguments before the middleware. */
  readonly before: string
}

/** Returns the mount of the middleware; undefined if the sources do not tell. */
export function findExpressMount(sources: readonly Source[]): Mount | undefined {
  const names = sources.flatMap(({ text }) => [
    ...text.matchAll(/\bMiddlewareAuth\s+as\s+(?<alias>\w+)/g),
    ...text.matchAll(/\b(?:const|let|var)\s+(?<name>\w+)\s*(?::[^=]+)?=\s*MiddlewareAuth\(/g),
  ])
  const handlers = names.map(({ groups }) =>
    groups?.["alias"] ? `${groups["alias"]}\\(` : `${groups?.["name"]}\\b(?!\\s*[:=])`,
  )
  return findMountOf(sources, ["MiddlewareAuth\\(", ...handlers].join("|"), 2)
}

/** Finds the mount of a middleware, or of the router that contains it. */
function findMountOf(
  sources: readonly Source[],
  handler: string,
  maxDepth: number,
): Mount | undefined {
  for (const { file, text } of sources) {
    for (const { index } of text.matchAll(new RegExp(`\\b(?:${handler})`, "g"))) {
      const call = findEnclosingCall(text, index)
      const path = call && /^(?:use|all)$/.test(call.method) ? readPath(call.before, text) : null
      if (!call || path === null) continue
      const outerPath = findOuterPath(sources, call, text, maxDepth)
      if (outerPath === undefined) continue
      const mountPath = `${outerPath}/${stripWildcard(path)}`.replace(/\/+/g, "/")
      // A parameter, as in `/:tenant/auth`, has any number of values.
      if (!mountPath.includes(":")) return { path: stripSlash(mountPath), file }
    }
  }
  return undefined
}

/** Returns the call of a method that has the code at an index among its arguments. */
function findEnclosingCall(text: string, index: number): Call | undefined {
  const code = maskStrings(text)
  const start = findOpeningBracket(code, index)
  const [callee = "", method = ""] = /\.\s*(\w+)\s*$/.exec(code.slice(0, start)) ?? []
  if (code[start] !== "(" || method === "") return undefined
  const end = start - callee.length
  const receiverStart = findReceiver(code, end)
  const receiver = text.slice(receiverStart, end).trim()
  const [, assigned = ""] =
    /(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*$/.exec(code.slice(0, receiverStart)) ?? []
  const [root = ""] = /^\w+\b(?!\(|\.Router\()/.exec(receiver) ?? []
  const before = text.slice(start + 1, index)
  return { receiver, variable: root || assigned, method, before }
}

/** Replaces the characters of strings by quotes, because they may be brackets. */
function maskStrings(text: string): string {
  return text.replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\.|[^\\`])*`/g, (string) =>
    '"'.repeat(string.length),
  )
}

/** Returns the index of the bracket that is open before an index, except those of arrays. */
function findOpeningBracket(code: string, index: number): number {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const character = code[at] ?? ""
    if (")]}".includes(character)) depth++
    else if ("([{".includes(character) && depth > 0) depth--
    else if ("({".includes(character)) return at
  }
  return -1
}

/** Returns the index at which the expression before an index begins: names, and calls of a chain. */
function findReceiver(code: string, index: number): number {
  const before = code.slice(0, index).trimEnd()
  if (before.endsWith(")")) return findReceiver(code, findOpeningBracket(code, before.length - 1))
  const name = /(?:\.\s*)?[\w$]+$/.exec(before)?.[0]
  if (name === undefined) return index
  const start = before.length - name.length
  return name.startsWith(".") ? findReceiver(code, start) : start
}

/** Reads the path from the arguments before the middleware: empty without a path, null if it cannot be read. */
function readPath(before: string, text: string): string | null {
  if (/^[\s[]*$/.test(before)) return ""
  const [, literal] = /^\s*\[?\s*["'`]([^"'`$]*)["'`]\s*[\],]/.exec(before) ?? []
  if (literal !== undefined) return literal
  const name = /^\s*(\w+)\s*,/.exec(before)?.[1]
  const value = new RegExp(`\\bconst\\s+${name}\\s*(?::[^=]+)?=\\s*["'\`]([^"'\`$]*)["'\`]`)
  return value.exec(text)?.[1] ?? null
}

/** Returns the path at which an application or a router is mounted itself; undefined if the sources do not tell. */
function findOuterPath(
  sources: readonly Source[],
  { receiver, variable }: Call,
  text: string,
  maxDepth: number,
): string | undefined {
  const definition = new RegExp(`\\b${variable}\\s*(?::[^=]+)?=[^\\n]*\\bRouter\\(`)
  const isRouter = /\bRouter\(/.test(receiver) || definition.test(text)
  const outer =
    variable === "" || maxDepth === 0
      ? undefined
      : findMountOf(sources, `${variable}\\b(?![.(])`, maxDepth - 1)
  return outer?.path ?? (isRouter ? undefined : "")
}

/** Removes `/*`, `/*splat` and `{/*splat}`, which stand for the action. */
function stripWildcard(path: string): string {
  return path.replace(/\/?\{?\/?\*\w*\}?$/, "")
}

export function stripSlash(path: string): string {
  return path.replace(/\/+$/, "") || "/"
}
