/** Latchkey for Express 4 and 5. */
export type {
  AccessToken,
  AccessTokenOptions,
  AddedFactor,
  AuthConfig,
  AuthorizationParams,
  ConfirmFactorInput,
  EmailCodesSetup,
  FactorInfo,
  FactorInput,
  FactorSetup,
  JWTParams,
  LinkedAccount,
  PasskeyInfo,
  RemovedFactorInput,
  ServerAuth,
  SessionInfo,
  SessionMessage,
  SessionParams,
  SignInOptions,
  SignOutOptions,
  UnlinkInput,
} from "@latchkey/core"
export { assertFreshSession, customFetch, defineConfig, getSessionInfo } from "@latchkey/core"
export type { AdapterUser } from "@latchkey/core/adapters"
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  LastAccount,
  LastFactor,
  SessionNotFresh,
} from "@latchkey/core/errors"
export type {
  Account,
  DefaultSession,
  FlowData,
  InferClientSession,
  InferSession,
  InferToken,
  JWT,
  Profile,
  RequestView,
  Session,
  User,
} from "@latchkey/core/types"
export { signIn, signOut, updateSession } from "./actions.ts"
export type { RouteRequest } from "./auth-context.ts"
export type { MiddlewareAuthConfig } from "./config.ts"
export type { AuthMiddleware, ExpressRequest } from "./express-types.ts"
export { requireFreshSession } from "./fresh-session.ts"
export { MiddlewareAuth } from "./middleware.ts"
export { getAuth } from "./server-auth.ts"
export { type GetSessionResult, getAccessToken, getSession } from "./session.ts"
