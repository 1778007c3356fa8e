/** Finds the path at which the application mounts the actions, by reading its sources. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { findProjectFiles } from "../move/project-files.ts"
import { bundlerFiles, detectFramework, type Framework } from "./framework.ts"

/** A mount in the sources of the application. */
export interface Mount {
  /** The path that requests to the actions begin with. */
  readonly path: string
  /** The file that mounts the actions. */
  readonly file: string
}

/** The function of each framework package that handles the actions. */
export const handlerNames: Readonly<Record<Framework, string>> = {
  express: "MiddlewareAuth",
  sveltekit: "CompiledAuth",
  "solid-start": "ReactiveAuth",
  qwik: "ResumableAuth$",
}

/** A file of the application, without the comments that take whole lines. */
export interface Source {
  readonly file: string
  readonly text: string
}

/** Longer files are generated. In bytes. */
const maxSourceSize = 500_000

/** Reads the sources of the application in the current folder; none if the folder has no `package.json`. */
export function readSources(): readonly Source[] {
  if (!existsSync("package.json")) return []
  return findProjectFiles(".")
    .filter((file) => !file.endsWith("package.json") && statSync(file).size <= maxSourceSize)
    .map((file) => ({ file, text: readSource(file) }))
}

function readSource(file: string): string {
  return readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
}

/** Returns the mount of the actions, or undefined if the sources do not tell. */
export function findMount(sources: readonly Source[]): Mount | undefined {
  switch (detectFramework()) {
    case "express":
      return findExpressMount(sources)
    case "sveltekit":
      return findBaseOption(/\bpaths\s*:\s*\{[^}]*?\bbase\s*:\s*["'`](\/[^"'`]*)["'`]/)
    case "qwik":
      return findBaseOption(/\b(?:base|basePathname)\s*:\s*["'`](\/[^"'`]+)["'`]/)
    case "solid-start":
      return findSolidRoute(sources)
    default:
      return undefined
  }
}

/** `app.use(path, …)`, up to the next call of this kind. Captures the receiver and the path. */
const mountStart = String.raw`\b(\w+)\.(?:use|all)\(\s*["'\x60]([^"'\x60]*)["'\x60]\s*,(?:(?!\.(?:use|all|get|post)\()[^;])*?`

function findExpressMount(sources: readonly Source[]): Mount | undefined {
  const handlers = [`${handlerNames.express}\\(`]
  for (const { text } of sources) {
    const names = text.matchAll(/\b(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*MiddlewareAuth\(/g)
    for (const [, name] of names) handlers.push(`${name}\\b`)
  }
  return findExpressCall(sources, handlers.join("|"), 2)
}

/** Finds the mount of a middleware, or of the router that contains it. */
function findExpressCall(
  sources: readonly Source[],
  handler: string,
  maxRouters: number,
): Mount | undefined {
  for (const { file, text } of sources) {
    const call = new RegExp(`${mountStart}\\b(?:${handler})`).exec(text)
    if (!call) continue
    const [, receiver = "", path = ""] = call
    const isRouter = new RegExp(`\\b${receiver}\\s*(?::[^=]+)?=[^\\n]*\\bRouter\\(`).test(text)
    const outer = isRouter
      ? maxRouters > 0 && findExpressCall(sources, `${receiver}\\b(?!\\.)`, maxRouters - 1)
      : { path: "", file }
    const mountPath = outer && `${outer.path}/${stripWildcard(path)}`.replace(/\/+/g, "/")
    // A parameter, as in `/:tenant/auth`, has any number of values.
    if (mountPath && !mountPath.includes(":")) return { path: stripSlash(mountPath), file }
  }
  return undefined
}

/** Removes `/*`, `/*splat` and `{/*splat}`, which stand for the action. */
function stripWildcard(path: string): string {
  return path.replace(/\/?\{?\/?\*\w*\}?$/, "")
}

function stripSlash(path: string): string {
  return path.replace(/\/+$/, "") || "/"
}

/** SvelteKit and Qwik put the actions below the path of the application. */
function findBaseOption(pattern: RegExp): Mount | undefined {
  for (const file of bundlerFiles.filter((name) => existsSync(name))) {
    const [, base] = pattern.exec(readSource(file)) ?? []
    if (base !== undefined && stripSlash(base) !== "/")
      return { path: `${stripSlash(base)}/auth`, file }
  }
  return undefined
}

/** The path of the catch-all route. Folders in parentheses are not part of it. */
function findSolidRoute(sources: readonly Source[]): Mount | undefined {
  const pattern = /^src\/routes\/(.*?)\/?\[\.\.\.[^\]/]+\]\.[jt]sx?$/
  const route = sources.find(
    ({ file, text }) => pattern.test(file) && text.includes(handlerNames["solid-start"]),
  )
  if (!route) return undefined
  const folder = pattern.exec(route.file)?.[1] ?? ""
  const segments = folder.split("/").filter((segment) => !/^\(.*\)$/.test(segment))
  return { path: stripSlash(`/${segments.join("/")}`), file: route.file }
}
