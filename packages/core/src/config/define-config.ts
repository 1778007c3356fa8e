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
 * Returns the configuration that it is given. For TypeScript: `token` in the `session` callback and in the `session`
 * event is what the `jwt` callback returns, and the session is what the `session` callback returns, wherever the
 * configuration is used. Write `jwt` above `session`.
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
  return config as AuthConfig // all that differs is how much is known of what callbacks get and return
}
