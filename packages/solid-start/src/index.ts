/** Latchkey for SolidStart 1 and 2. */
export type { AuthConfig, JWTParams, SessionMessage, SessionParams } from "@latchkey/core"
export { customFetch, defineConfig } from "@latchkey/core"
export type { AdapterUser } from "@latchkey/core/adapters"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
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
} from "@latchkey/core/types"
export type { ReactiveAuthConfig } from "./config.ts"
export type { StartEvent, StartRequest } from "./event.ts"
export { ReactiveAuth, type ReactiveAuthHandler, type ReactiveAuthHandlers } from "./handlers.ts"
export { type GetSessionResult, getSession } from "./session.ts"
export { type SignInOptions, signIn } from "./sign-in.ts"
export { type SignOutOptions, signOut } from "./sign-out.ts"
export { updateSession } from "./update-session.ts"
