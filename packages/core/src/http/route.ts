/** Which action a path names. */
import type { AuthAction } from "../types.ts"

const actions: ReadonlySet<string> = new Set<AuthAction>([
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
])

const actionsWithProvider: ReadonlySet<string> = new Set<AuthAction>([
  "callback",
  "signin",
  "webauthn-options",
])

/** Tells whether a text names an action of the library. */
export function isAuthAction(action: string): action is AuthAction {
  return actions.has(action)
}

/** Where a request goes. */
export type Route =
  | {
      readonly kind: "action"
      readonly action: AuthAction
      readonly providerId: string | undefined
    }
  | { readonly kind: "unknown" }

const unknownRoute: Route = { kind: "unknown" }
const maxPathLength = 2048

/** `basePath` without its trailing slash, so that `basePath + "/" + action` is a path; `/` becomes empty. */
export function stripTrailingSlash(basePath: string): string {
  return basePath.endsWith("/") ? basePath.replace(/\/{1,64}$/, "") : basePath
}

/** Finds the action of a path. The base path is taken literally. */
export function parseRoute(pathname: string, basePath: string): Route {
  const prefix = `${stripTrailingSlash(basePath)}/`
  if (pathname.length > maxPathLength || !pathname.startsWith(prefix)) return unknownRoute
  const rest = pathname.slice(prefix.length)
  if (isAuthAction(rest)) return { kind: "action", action: rest, providerId: undefined }
  const segments = rest.split("/").filter(Boolean)
  const [action, second] = segments
  if (action === undefined || segments.length > 2 || !isAuthAction(action)) return unknownRoute
  if (second === undefined) return { kind: "action", action, providerId: undefined }
  if (!actionsWithProvider.has(action)) return unknownRoute
  // A client that knows no provider may send the word: it means none.
  return { kind: "action", action, providerId: second === "undefined" ? undefined : second }
}
