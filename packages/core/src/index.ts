/** Authentication that lives inside a web application. */

export type { AttemptLimit, AttemptLimits } from "./actions/limits/limit-rules.ts"
export { Auth, type CallbackToken, createAuth, defineConfig, type InferredConfig } from "./auth.ts"
export type * from "./config/auth-config.ts"
export {
  type ActionUrlConfig,
  createActionURL,
  type EnvironmentVariables,
  setEnvDefaults,
} from "./config/environment.ts"
export type { SecurityEvent, SecurityEventType } from "./config/security-events.ts"
export { getErrorCookies } from "./engine/request-errors.ts"
export { serializeCookie } from "./http/cookies.ts"
export { isAuthAction } from "./http/route.ts"
export type { JWT } from "./jwt.ts"
export type * from "./latchkey-auth.ts"
export type {
  Account,
  DefaultSession,
  InferClientSession,
  InferSession,
  InferToken,
  Profile,
  Session,
  User,
} from "./public-types.ts"
export { assertFreshSession, getSessionInfo } from "./sessions/session-facts.ts"
export { allowInsecureRequests, customFetch, raw, skipCSRFCheck } from "./symbols.ts"
