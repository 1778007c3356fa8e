/** The files that an application on Astro needs beside its configuration: the middleware, a route and the client. */
import { posix } from "node:path"
import type { FileMove, SourceText } from "./source-file.ts"

/** Lists those that a project lacks, and its middleware, which has to call ours. */
export function listAstroFiles(config: SourceText, files: readonly SourceText[]): FileMove[] {
  const [, module = "", extension = ""] =
    /^(auth\.config)\.[mc]?([jt]s)$/.exec(posix.basename(config.path)) ?? []
  if (module === "") return []
  const folder = posix.dirname(config.path)
  const middleware = files.find(({ path }) =>
    /^src\/middleware(?:\/index)?\.[jt]s$/.test(posix.relative(folder, path)),
  )
  const [, basePath = "/api/auth"] = /\bprefix:\s*["'`](\/[\w/-]+)/.exec(config.text) ?? []
  const route = `src/pages${basePath}/[...auth]`
  const usesClient = files.some(({ text }) => text.includes("auth-astro/client"))
  const texts: Readonly<Record<string, string | false>> = {
    [route]: createRoute(posix.relative(posix.dirname(route), module), extension === "ts"),
    "src/middleware": middleware === undefined && createMiddleware(module),
    "src/auth-client": usesClient && createClientModule(basePath),
  }
  const paths = files.map(({ path }) => path)
  const created = Object.entries(texts).flatMap(([name, after]): FileMove[] => {
    const path = posix.join(folder, `${name}.${extension}`)
    if (after === false || paths.includes(path)) return []
    return [{ path, text: "", after, advice: [], isNew: true }]
  })
  if (!middleware) return created
  const advice = [{ position: 0, text: middlewareAdvice }]
  return [...created, { ...middleware, after: middleware.text, advice }]
}

const middlewareAdvice =
  "Put `createOnRequest(auth)` of @latchkey/fetch/astro first: `sequence(createOnRequest(auth), …)` of astro:middleware."

function createRoute(module: string, isTyped: boolean): string {
  const [typeImport, type] = isTyped
    ? ['import type { APIRoute } from "astro"\n', ": APIRoute"]
    : ["", ""]
  return `${typeImport}import auth from "${module}"

export const prerender = false

export const ALL${type} = ({ request }) => auth.handler(request)
`
}

const createMiddleware = (module: string): string =>
  `import { createOnRequest } from "@latchkey/fetch/astro"
import auth from "../${module}"

export const onRequest = createOnRequest(auth)
`

const createClientModule = (basePath: string): string =>
  `import { createClient } from "@latchkey/fetch/client"

export const { getSession, signIn, signOut } = createClient({ basePath: "${basePath}" })
`
