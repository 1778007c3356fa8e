/** Latchkey for SolidStart 1 and 2. */
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
export { getAccessToken } from "./access-token.ts"
export type { ReactiveAuthConfig } from "./config.ts"
export type { StartEvent, StartRequest } from "./event.ts"
export { requireFreshSession } from "./fresh-session.ts"
export { ReactiveAuth, type ReactiveAuthHandler, type ReactiveAuthHandlers } from "./handlers.ts"
export { checkConfigAtStartup } from "./integrated-auth.ts"
export { getAuth } from "./server-auth.ts"
export { type GetSessionResult, getSession } from "./session.ts"
export { signIn } from "./sign-in.ts"
export { signOut } from "./sign-out.ts"
export { updateSession } from "./update-session.ts"
