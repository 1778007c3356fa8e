/** For packages that integrate the library into a framework. */

export type { HeaderReader, IncomingRequest } from "./http/incoming-request.ts"
export type { PlainResponse } from "./http/plain-response.ts"
export { resolveRequestOrigin } from "./http/request-origin.ts"
export { AuthContext, type SignInFields } from "./integration/auth-context.ts"
export {
  type AuthResolver,
  createAuthResolver,
  type IntegratedAuth,
  type IntegrationEngine,
  type IntegrationOptions,
} from "./integration/auth-resolver.ts"
export { createInvalidRequestResponse } from "./integration/invalid-request.ts"
export { getRedirectLocation } from "./integration/redirect-location.ts"
export type { RequestLike } from "./integration/request-url.ts"
export { createResponseCookies, type ResponseCookies } from "./integration/response-cookies.ts"
export { assertSameOrigin } from "./integration/same-origin.ts"
export { readSession } from "./integration/session-read.ts"
export { applySetCookies, mergeSetCookies, noStore } from "./integration/set-cookie.ts"
export { parseSignInForm } from "./integration/sign-in-form.ts"
