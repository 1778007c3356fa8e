/** Authentication that lives inside a web application. */
export type {
  LatchkeyAuth,
  RawResponse,
  RedirectResult,
  RequestContext,
  SessionResult,
  SignInInput,
  SignOutInput,
} from "./api.ts"
export { Auth, createAuth } from "./auth.ts"
export { type ActionUrlConfig, createActionURL, type Environment } from "./config/action-url.ts"
export type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  RateLimitedAttempt,
  SessionOptions,
} from "./config/auth-config.ts"
export { type EnvironmentVariables, setEnvDefaults } from "./config/environment.ts"
export { serializeCookie } from "./http/cookies.ts"
export { isAuthAction } from "./http/route.ts"
export { allowInsecureRequests, customFetch, raw, skipCSRFCheck } from "./symbols.ts"
