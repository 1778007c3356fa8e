export type { EntityChange } from "./entities/change.ts"
export { defineEntities, type Entities, type EntityChanges } from "./entities/define.ts"
export type {
  AccountEntity,
  AuthenticatorEntity,
  LeaseEntity,
  SessionEntity,
  UserEntity,
  VerificationTokenEntity,
} from "./entities/types.ts"
export { MikroOrmError, type MikroOrmErrorCode } from "./errors.ts"
export { MikroOrmAdapter } from "./mikro-orm-adapter.ts"
