/** Latchkey for SvelteKit 2 and 3. */
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
export type { GetAccessToken } from "./access-token.ts"
export type { FormFields, SignInAction, SignOutAction } from "./actions.ts"
export { CompiledAuth, type CompiledAuthParts } from "./compiled-auth.ts"
export type { CompiledAuthConfig, LazyConfig } from "./config.ts"
export type { RequireFreshSession } from "./fresh-session.ts"
export type { AuthHandle } from "./handle.ts"
export type { AuthLocals, LocalSession, Register } from "./locals.ts"
export { getAuth } from "./server-auth.ts"
