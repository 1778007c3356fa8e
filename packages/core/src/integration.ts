/** For packages that mount the library in a framework. */

export type { HeaderReader, IncomingRequest } from "./http/incoming-request.ts"
export type { PlainResponse } from "./http/plain-response.ts"
export { resolveRequestOrigin } from "./http/request-origin.ts"
export {
  type AuthResolver,
  createAuthResolver,
  type IntegratedAuth,
  type IntegrationEngine,
  type IntegrationOptions,
} from "./integration/auth-resolver.ts"
export { applySetCookies } from "./integration/cookie-header.ts"
export { createInvalidRequestResponse } from "./integration/invalid-request.ts"
export type { RequestLike } from "./integration/request-url.ts"
export { createResponseCookies, type ResponseCookies } from "./integration/response-cookies.ts"
export { assertSameOrigin } from "./integration/same-origin.ts"
export { type SessionReadTracker, trackSessionRead } from "./integration/session-read.ts"
export { mergeSetCookies, noStore } from "./integration/set-cookie.ts"
export { parseSignInForm } from "./integration/sign-in-form.ts"
