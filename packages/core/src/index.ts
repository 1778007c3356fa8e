/** Authentication that lives inside a web application. */
export type {
  LatchkeyAuth,
  OnFault,
  RawResponse,
  RedirectResult,
  RequestContext,
  SessionResult,
  SignInInput,
  SignOutInput,
  UpdateInput,
} from "./api.ts"
export { Auth, createAuth } from "./auth.ts"
export { type ActionUrlConfig, createActionURL, type Environment } from "./config/action-url.ts"
export type {
  AuthConfig,
  CallbacksOptions,
  EventCallbacks,
  JWTParams,
  RateLimitedAttempt,
  SessionMessage,
  SessionOptions,
  SessionParams,
} from "./config/auth-config.ts"
export { defineConfig } from "./config/define-config.ts"
export { type EnvironmentVariables, setEnvDefaults } from "./config/environment.ts"
export type { InferredConfig, OpenedToken } from "./config/inferred-config.ts"
export { serializeCookie } from "./http/cookies.ts"
export { isAuthAction } from "./http/route.ts"
export { type ConfigProblem, configProblems } from "./inspect.ts"
export { allowInsecureRequests, customFetch, raw, skipCSRFCheck } from "./symbols.ts"
export type {
  Account,
  DefaultSession,
  InferClientSession,
  InferSession,
  InferToken,
  JWT,
  Profile,
  Session,
  User,
} from "./types.ts"
