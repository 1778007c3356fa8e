/** Stores Latchkey's users, accounts, sessions, e-mail tokens and passkeys in Redis. */
export type { DatabaseErrorCode, UserFieldKind, UserFields } from "@latchkey/adapter-kit"
export type { IoRedisClient, NodeRedisClient, RedisClient } from "./client/clients.ts"
export { RedisError } from "./errors.ts"
export type { RedisAdapterOptions, RedisOptions } from "./options.ts"
export { RedisAdapter } from "./redis-adapter.ts"
export {
  RedisSessions,
  type RedisSessionsAdapter,
  type RedisSessionsOptions,
  type UserStore,
} from "./redis-sessions.ts"
