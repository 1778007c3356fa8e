/** Routing: the action that a path names. */
import type { AuthAction } from "../types.ts"

/** The actions whose path may end with a provider, and all actions. */
const providerActions: readonly AuthAction[] = ["callback", "signin", "webauthn-options"]
const actions: readonly string[] = [
  ...providerActions,
  ...["csrf", "error", "providers", "session", "signout", "verify-request"],
]

/**
 * For code that was written for Auth.js: whether a text is the name of an action with a path of its own. The path of
 * `logout` always names a provider.
 */
export function isAuthAction(action: string): action is Exclude<AuthAction, "logout"> {
  return actions.includes(action)
}

/** Whether a base path is that of an action, where the library is not meant to be mounted. */
export function endsWithAction(basePath: string): boolean {
  return isAuthAction(basePath.slice(basePath.lastIndexOf("/") + 1))
}

/** Stands for a provider in the path of `signin`, where a sign-in continues with its second factor. */
export const secondFactorPath = "second-factor"

/** The same for a session that is running. */
export const stepUpPath: string = `${secondFactorPath}?step-up=true`

/** An action, and the provider that its path names. */
export interface ActionRoute {
  readonly action: AuthAction
  /** Whether the path is the base path, which leads to the action. */
  readonly isBasePath?: true
  readonly providerId?: string | undefined
}

const maxPathLength = 2048

/**
 * Returns a base path without its trailing slash, so that you can append `/<action>`. The base path `/` becomes empty.
 */
export function stripTrailingSlash(basePath: string): string {
  return basePath.endsWith("/") ? basePath.replace(/\/{1,64}$/, "") : basePath
}

/** Returns the URL of the base path, to which the path of an action is appended, such as `/callback/github`. */
export function buildActionsUrl(origin: string, basePath: string): string {
  return origin + stripTrailingSlash(basePath)
}

/** Whether a path is the base path itself. A base path of `/` is a page of the application. */
export function isBasePath(pathname: string, basePath: string): boolean {
  const ownPath = stripTrailingSlash(basePath)
  return ownPath !== "" && (pathname === ownPath || pathname === `${ownPath}/`)
}

/** Whether a path is the base path or below it. Under `/`, all paths belong to the application. */
export function isUnderBasePath(pathname: string, basePath: string): boolean {
  const ownPath = stripTrailingSlash(basePath)
  return ownPath !== "" && `${pathname}/`.startsWith(`${ownPath}/`)
}

/**
 * Finds the action of a path; undefined if there is none. Everything is matched literally, and each action has one
 * path, aside from one trailing slash: a rate limiter or guard that is mounted on a path must not be bypassed by
 * another spelling, such as `/auth//signin`.
 */
export function parseRoute(pathname: string, basePath: string): ActionRoute | undefined {
  const prefix = `${stripTrailingSlash(basePath)}/`
  if (pathname.length > maxPathLength || !pathname.startsWith(prefix)) return undefined
  const segments = pathname.slice(prefix.length).replace(/\/$/, "").split("/")
  const [action = "", provider, ...rest] = segments
  if (provider === "" || rest.length > 0) return undefined
  // Applications have pages at `/logout`, which is also `/<base path>/logout` under the base path `/`.
  if (action === "logout" && provider !== undefined) return { action, providerId: provider }
  if (!isAuthAction(action)) return undefined
  if (provider !== undefined && !providerActions.includes(action)) return undefined
  // Clients that do not know a provider may send the word "undefined".
  return { action, providerId: provider === "undefined" ? undefined : provider }
}
