/** The client for browsers. It needs no framework, and sends no request until you call one of its functions. */

export {
  ClientError,
  type ClientFailure,
  type CredentialsFailure,
  type OfflineFailure,
  type RateLimitedFailure,
  type RefusedFailure,
  type UnavailableFailure,
} from "./client/client-failure.ts"
export {
  type Client,
  type ClientOptions,
  createClient,
  withBasePath,
} from "./client/create-client.ts"
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
} from "./client/default-client.ts"
export type { KnownSessionState, SessionListener, SessionState } from "./client/session-store.ts"
export type { PublicProviders } from "./client/sign-in.ts"
export type {
  AuthorizationParams,
  SignIn,
  SignInOptions,
  SignInResult,
  SignOut,
  SignOutOptions,
  SignOutResult,
} from "./client/sign-in-types.ts"
