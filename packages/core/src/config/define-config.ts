import type { Adapter } from "../adapters.ts"
import type { JWT, PublicSession, Session } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"
import type {
  InferClaims,
  InferredConfig,
  InferSessionMessage,
  InferSessionParams,
  SessionCallbackResult,
  SessionHookParams,
  SessionStrategyName,
} from "./inferred-config.ts"

/**
 * Returns the configuration unchanged, with inferred types: `token` in the `session` callback and the `session` event
 * has the type that the `jwt` callback returns, and the session has the type that the `session` callback returns. Write
 * `jwt` above `session`.
 */
export function defineConfig<
  JWTResult extends JWT = JWT,
  CallbackSession extends SessionCallbackResult = Session,
  Strategy extends SessionStrategyName = never,
  ConfiguredAdapter extends Adapter | undefined = undefined,
  Params extends SessionHookParams = InferSessionParams<JWTResult, Strategy, ConfiguredAdapter>,
  Message extends SessionHookParams = InferSessionMessage<
    JWTResult,
    CallbackSession,
    Strategy,
    ConfiguredAdapter
  >,
>(
  config: InferredConfig<JWTResult, CallbackSession, Strategy, ConfiguredAdapter, Params, Message>,
): AuthConfig<InferClaims<JWTResult>, PublicSession<CallbackSession>>
export function defineConfig(config: object): AuthConfig {
  return config as AuthConfig // only the types of the callbacks differ
}
