export type { DatabaseErrorCode } from "@latchkey/adapter-kit"
export {
  defineEntities,
  type Entities,
  type EntityExtensions,
  type EntityOptions,
} from "./entities/define-entities.ts"
export type { EntityExtension } from "./entities/entity-extension.ts"
export type {
  AccountEntity,
  AuthenticatorEntity,
  FactorEntity,
  LeaseEntity,
  SessionChangeEntity,
  SessionEntity,
  SessionRecordEntity,
  UserEntity,
  VerificationTokenEntity,
} from "./entities/entity-types.ts"
export { MikroOrmError } from "./errors.ts"
export { MikroOrmAdapter } from "./mikro-orm-adapter.ts"
