/** Which path the middleware is mounted on, and whether a request is for it. */
import { isAuthAction } from "@latchkey/core"
import type { ExpressRequest } from "./express-types.ts"

/**
 * The path that the middleware is mounted on; undefined for a mount without a path.
 *
 * `baseUrl` is that path unless the mount has a wildcard, which swallows the action.
 *
 * @param path of the request
 */
export function getMountPath(req: ExpressRequest, path: string): string | undefined {
  const tail = getWildcardMatch(req.params)
  const base = (tail ? removePathSuffix(path, tail) : undefined) ?? req.baseUrl
  return base.replace(/\/{1,64}$/, "") || undefined
}

/** What a wildcard matched, decoded: Express 5 lists the segments under its name, Express 4 counts wildcards. */
function getWildcardMatch(params: object): string {
  const wildcards = Object.entries(params).filter(
    ([name, value]) => Array.isArray(value) || /^\d+$/.test(name),
  )
  const [, last]: [string, unknown] = wildcards.at(-1) ?? ["", ""]
  return Array.isArray(last) ? last.join("/") : String(last ?? "")
}

/** What stands before the end of a path. The end is decoded, the path is not. */
function removePathSuffix(path: string, end: string): string | undefined {
  const segments = path.split("/")
  let remaining = end.length
  while (remaining > 0) remaining -= decodeURIComponent(segments.pop() ?? "").length + 1
  const base = segments.join("/")
  return decodeURIComponent(path.slice(base.length)).endsWith(end) ? base : undefined
}

/** Tells whether a path lies under a base path. Under `/` lie the actions and nothing else. */
export function isUnderBasePath(path: string, basePath: string): boolean {
  if (basePath !== "/") return path === basePath || path.startsWith(`${basePath}/`)
  return path.startsWith("/") && isAuthAction(path.split("/", 2)[1] ?? "")
}
