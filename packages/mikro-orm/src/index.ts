export type { DatabaseErrorCode } from "@latchkey/core/adapter-kit"
export { defineEntities, type Entities, type EntityExtensions } from "./entities/define-entities.ts"
export type { EntityExtension } from "./entities/entity-extension.ts"
export type {
  AccountEntity,
  AuthenticatorEntity,
  LeaseEntity,
  SessionEntity,
  UserEntity,
  VerificationTokenEntity,
} from "./entities/entity-types.ts"
export { MikroOrmError } from "./errors.ts"
export { MikroOrmAdapter } from "./mikro-orm-adapter.ts"
