/** For packages that integrate the library into a framework. */

export { createServerAuth } from "./engine/server-auth.ts"
export { type PlainResponse, toResponse } from "./http/action-outcome.ts"
export type {
  HeaderReader,
  IncomingRequest,
  RequestHeaders,
  UnreadBody,
} from "./http/incoming-request.ts"
export { resolveRequestOrigin } from "./http/request-origin.ts"
export type { RequestSource } from "./http/request-view.ts"
export * from "./integration/auth-context.ts"
export * from "./integration/auth-resolver.ts"
export { disableCaching, keepOutOfCaches } from "./integration/cache-headers.ts"
export {
  createGuardResponse,
  createSignInUrl,
  type FreshSessionOptions,
  findSignInUrl,
  type GuardedRequest,
} from "./integration/guard.ts"
export {
  createNodeCookies,
  getNodeSetCookieLines,
  type NodeResponse,
} from "./integration/node-cookies.ts"
export {
  assertPostFromOwnPage,
  assertSameOrigin,
  getRedirectLocation,
  isCanonicalTarget,
  type RequestLike,
} from "./integration/request-url.ts"
export * from "./integration/set-cookie.ts"
export { parseSignInForm, type SignInForm } from "./integration/sign-in-form.ts"
