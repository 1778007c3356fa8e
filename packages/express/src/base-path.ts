/** Finds the path that the middleware is mounted on. */
import { isAuthAction } from "@latchkey/core"
import type { ExpressRequest } from "./express-types.ts"

/**
 * Returns the path that the middleware is mounted on; undefined for a mount without a path. That is `baseUrl`, unless
 * the mount has a wildcard, which also matches the action.
 *
 * @param path of the request
 */
export function getMountPath(req: ExpressRequest, path: string): string | undefined {
  const tail = getWildcardMatch(req.params)
  const base = (tail ? removePathSuffix(path, tail) : undefined) ?? req.baseUrl
  return base.replace(/\/{1,64}$/, "") || undefined
}

/**
 * Whether the spelling of a mount's path is that of the client: Express ignores the case, but a guard in front of the
 * application may not. The values of the mount's parameters are always the client's.
 */
export function hasUnknownCase({ app, params }: ExpressRequest, mountPath: string): boolean {
  if (app.get("case sensitive routing")) return false
  const values = Object.values<unknown>({ ...params })
  const segments = mountPath.split("/").filter((each) => !values.includes(decodePath(each)))
  const literals = segments.join("/").replace(/%[\dA-F]{2}/gi, "")
  return literals !== literals.toLowerCase()
}

function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // malformed
  }
}

/** Returns the decoded match of a wildcard: a list of segments under its name in Express 5, numbered in Express 4. */
function getWildcardMatch(params: object): string {
  const wildcards = Object.entries(params).filter(
    ([name, value]) => Array.isArray(value) || /^\d+$/.test(name),
  )
  const [, last]: [string, unknown] = wildcards.at(-1) ?? ["", ""]
  return Array.isArray(last) ? last.join("/") : String(last ?? "")
}

/** Removes the end of an encoded path. The end itself is decoded. */
function removePathSuffix(path: string, end: string): string | undefined {
  const segments = path.split("/")
  let remaining = end.length
  while (remaining > 0) remaining -= decodeURIComponent(segments.pop() ?? "").length + 1
  const base = segments.join("/")
  return decodeURIComponent(path.slice(base.length)).endsWith(end) ? base : undefined
}

/** Whether a path is that of an action under the path of a mount. */
export function isActionPath(path: string, mountPath: string): boolean {
  const [slash, action = ""] = path.slice(mountPath.length).split("/", 2)
  return slash === "" && path.startsWith(mountPath) && isAuthAction(action)
}

/** Whether a path is under a base path. Under `/`, only the actions are. */
export function isUnderBasePath(path: string, basePath: string): boolean {
  if (basePath !== "/") return path === basePath || path.startsWith(`${basePath}/`)
  if (!path.startsWith("/")) return false
  return isAuthAction(path.split("/", 2)[1] ?? "") || /^\/logout\/[^/]+\/?$/.test(path)
}
