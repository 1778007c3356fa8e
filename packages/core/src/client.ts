/** The client for browsers. It needs no framework, and does nothing until one of its functions is called. */
export { type Client, type ClientOptions, createClient } from "./client/create.ts"
export {
  client,
  getCsrfToken,
  getProviders,
  getSession,
  onSessionChange,
  sessionState,
  signIn,
  signOut,
  updateSession,
} from "./client/default.ts"
export {
  ClientError,
  type CredentialsRefused,
  type Failure,
  type Offline,
  type RateLimited,
  type Refused,
  type Unavailable,
} from "./client/failure.ts"
export type { Providers } from "./client/provider-list.ts"
export type {
  AuthorizationParams,
  SignIn,
  SignInOptions,
  SignInResult,
  SignOut,
  SignOutOptions,
  SignOutResult,
} from "./client/results.ts"
export type { KnownState, SessionListener, SessionState } from "./client/session-store.ts"
