/** Latchkey for Express 4 and 5. */
export type {
  AccessToken,
  AccessTokenOptions,
  AuthConfig,
  JWTParams,
  LinkedAccount,
  ServerAuth,
  SessionInfo,
  SessionMessage,
  SessionMetadata,
  SessionParams,
  UnlinkInput,
} from "@latchkey/core"
export { customFetch, defineConfig, getSessionMetadata, requireFresh } from "@latchkey/core"
export type { AdapterUser } from "@latchkey/core/adapters"
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  LastAccount,
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
export { getAccessToken } from "./access-token.ts"
export { type RouteRequest, signIn, signOut, updateSession } from "./actions.ts"
export type { MiddlewareAuthConfig } from "./config.ts"
export type { AuthMiddleware, ExpressRequest } from "./express-types.ts"
export { requireFreshSession } from "./fresh-session.ts"
export { MiddlewareAuth } from "./middleware.ts"
export { getAuth } from "./server-auth.ts"
export { type GetSessionResult, getSession } from "./session.ts"
