/** Latchkey's users, accounts, sessions, e-mail tokens and passkeys in Redis. */
export type { IoRedisClient, NodeRedisClient, RedisClient } from "./client/clients.ts"
export { RedisError, type RedisErrorCode } from "./errors.ts"
export type { RedisAdapterOptions, RedisOptions, UserFieldKind, UserFields } from "./options.ts"
export { RedisAdapter } from "./redis-adapter.ts"
export {
  RedisSessions,
  type RedisSessionsAdapter,
  type RedisSessionsOptions,
  type UserStore,
} from "./redis-sessions.ts"
