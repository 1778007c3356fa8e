import type { Adapter } from "../adapters.ts"
import type { GivenSession, JWT, Session } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"
import type {
  ClaimsOf,
  InferredConfig,
  MessageOf,
  ParamsOf,
  SessionAnswer,
  StrategyName,
  Told,
} from "./inferred-config.ts"

/**
 * Returns the configuration that it is given. For TypeScript: `token` in the `session` callback and in the `session`
 * event is what the `jwt` callback returns, and the session is what the `session` callback returns, wherever the
 * configuration is used. Write `jwt` above `session`.
 */
export function defineConfig<
  Returned extends JWT = JWT,
  Answer extends SessionAnswer = Session,
  Said extends StrategyName = never,
  Stored extends Adapter | undefined = undefined,
  Params extends Told = ParamsOf<Returned, Said, Stored>,
  Message extends Told = MessageOf<Returned, Answer, Said, Stored>,
>(
  config: InferredConfig<Returned, Answer, Said, Stored, Params, Message>,
): AuthConfig<ClaimsOf<Returned>, GivenSession<Answer>>
export function defineConfig(config: object): AuthConfig {
  return config as AuthConfig // all that differs is how much is known of what callbacks get and return
}
