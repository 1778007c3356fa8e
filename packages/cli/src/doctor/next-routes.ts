/** The routes, the proxy and the `basePath` of an application on Next.js. */
import { existsSync } from "node:fs"
import { stripSlash } from "./express-mount.ts"
import { bundlerFiles } from "./framework.ts"
import { type Mount, readSource, type Source } from "./sources.ts"

/** The catch-all route of the App Router or of the Pages Router, whose folders in parentheses are not part of the path. */
const routePattern =
  /^(?:src\/)?(?:app\/(.*?)\/?\[\[?\.\.\.\w+\]\]?\/route|pages\/(.*?)\/?\[\[?\.\.\.\w+\]\]?)\.[jt]sx?$/

/** Returns the route that responds to the actions: it names the handlers, or calls the function of version 4. */
export function findNextRoute(sources: readonly Source[]): Mount | undefined {
  const isHandler = ({ file, text }: Source) =>
    routePattern.test(file) && /\bhandlers\b|\bNextAuth\(/.test(text)
  const route = sources.find(isHandler)
  if (!route) return undefined
  const [, appFolder, pagesFolder] = routePattern.exec(route.file) ?? []
  const segments = (appFolder ?? pagesFolder ?? "").split("/")
  const path = segments.filter((segment) => !/^\(.*\)$/.test(segment)).join("/")
  return { path: readNextBasePath() + stripSlash(`/${path}`), file: route.file }
}

/** Returns the `basePath` of Next.js, as far as its configuration is a text. */
export function readNextBasePath(): string {
  const file = bundlerFiles.find((name) => name.startsWith("next.") && existsSync(name))
  const text = file === undefined ? "" : readSource(file)
  return /\bbasePath\s*:\s*["'`](\/[^"'`]*)["'`]/.exec(text)?.[1] ?? ""
}

/** Whether a proxy, the browser or the Pages Router renews the session. */
export function renewsSession(sources: readonly Source[]): boolean {
  return sources.some(({ file, text }) => {
    if (/^(?:src\/)?(?:proxy|middleware)\.[jt]s$/.test(file))
      return /\bauth\b|\bNextAuth\b/.test(text)
    if (text.includes("<SessionProvider")) return true
    const isPage = /^(?:src\/)?pages\//.test(file)
    return isPage && /\b(?:auth|getServerSession)\(\s*\w/.test(text)
  })
}
