/** Latchkey for Qwik City 1 and Qwik 2. */
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
export type { ActionFailure, ActionSuccess, SignInResult, SignOutResult } from "./actions.ts"
export type { ResumableAuthConfig } from "./config.ts"
export { setEnvDefaults } from "./environment.ts"
export type { EnvGetter, QwikEvent } from "./event.ts"
export type { ProviderFields, SignInFields, SignOutFields } from "./form-fields.ts"
export { requireFreshSession } from "./fresh-session.ts"
export {
  type ResumableAuth,
  ResumableAuth$,
  ResumableAuthQrl,
  type ResumableAuthSource,
} from "./resumable-auth.ts"
export { getAuth } from "./server-auth.ts"
export { type GetSessionResult, getSession, updateSession } from "./session.ts"
export { checkConfigAtStartup } from "./startup.ts"
