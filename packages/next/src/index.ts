/** Latchkey for Next.js 15.5 and 16. */
export type {
  AccessToken,
  AccessTokenOptions,
  AddedFactor,
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
export type { Actions, RequireSessionOptions, SignInOptions, SignOutOptions } from "./actions.ts"
export type { AuthFunction, AuthHandler, NextAuthRequest } from "./auth-function.ts"
export type { LazyConfig, NextAuthCallbacks, NextAuthConfig } from "./config.ts"
export { NextAuth, NextAuth as default, type NextAuthResult } from "./next-auth.ts"
