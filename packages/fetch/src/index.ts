/** Latchkey for everything that handles a `Request` and returns a `Response`. */
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
export type { FetchAuthConfig, LazyConfig } from "./config.ts"
export { FetchAuth, type FetchFunction, type WrapOptions } from "./fetch-auth.ts"
export type { RequestAuth, RequestAuthOf, RequestAuthOptions } from "./request-auth.ts"
