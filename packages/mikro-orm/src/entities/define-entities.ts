import type { EntitySchema, InferEntityFromProperties, MikroORM } from "@mikro-orm/core"
import { defineAccount } from "./account.ts"
import { defineAuthenticator } from "./authenticator.ts"
import type { EntityExtension } from "./entity-extension.ts"
import type {
  EntitySchemas,
  EntityTypes,
  FactorEntityTypes,
  SessionRecordEntityTypes,
} from "./entity-types.ts"
import { defineFactor } from "./factor.ts"
import { defineLease } from "./lease.ts"
import { defineSession } from "./session.ts"
import { defineSessionChange, defineSessionRecord } from "./session-record.ts"
import { defineUser } from "./user.ts"
import { defineVerificationToken } from "./verification-token.ts"

/** Changes of an application to the entities, by name. */
export type EntityExtensions = { readonly [Name in keyof EntityTypes]?: EntityExtension }

/** Which optional entities to define. */
export interface EntityOptions {
  /**
   * Whether to define `LatchkeySessionRecord` and `LatchkeySessionChange`, for the option `session.records` of Latchkey.
   * @defaultValue false
   */
  readonly sessionRecords?: boolean
  /** Whether to define `LatchkeyFactor`, for the option `secondFactor` of Latchkey. @defaultValue false */
  readonly secondFactor?: boolean
}

/** The entities, with the properties that the application added. */
export type Entities<
  Changes extends EntityExtensions = object,
  Options extends EntityOptions = object,
> = {
  readonly [Name in EntityName<Options>]: EntitySchema<
    EntityTypes[Name] & (Name extends keyof Changes ? AddedProperties<Changes[Name]> : unknown)
  >
}

type EntityName<Options> =
  | Exclude<keyof EntityTypes, keyof SessionRecordEntityTypes | keyof FactorEntityTypes>
  | (Options extends { readonly sessionRecords: true } ? keyof SessionRecordEntityTypes : never)
  | (Options extends { readonly secondFactor: true } ? keyof FactorEntityTypes : never)

type AddedProperties<Change> = Change extends { readonly properties: infer Properties }
  ? Properties extends Readonly<Record<string, object>>
    ? Omit<InferEntityFromProperties<Properties>, symbol>
    : unknown
  : unknown

/**
 * Defines the entities of the adapter, for `MikroORM.init` and for relations of your own. Each call defines new ones.
 *
 * @throws TypeError if one of your properties has the name of an existing one
 *
 * @example
 * const entities = defineEntities({ User: { properties: { role: p.string().default("reader") } } })
 * const orm = await MikroORM.init({ entities: Object.values(entities), dbName: "app" })
 * const adapter = MikroOrmAdapter(orm)
 */
export function defineEntities<
  const Changes extends EntityExtensions = object,
  const Options extends EntityOptions = object,
>(extensions?: Changes, options?: Options): Entities<Changes, Options> {
  const resolvedExtensions: EntityExtensions = extensions ?? {}
  // Entities refer to each other, so that their relations resolve the names later.
  const schemas: EntitySchemas = {
    get User() {
      return User
    },
    get Account() {
      return Account
    },
    get Session() {
      return Session
    },
    get VerificationToken() {
      return VerificationToken
    },
    get Authenticator() {
      return Authenticator
    },
    get LatchkeyLease() {
      return LatchkeyLease
    },
    get LatchkeySessionRecord() {
      return LatchkeySessionRecord
    },
    get LatchkeySessionChange() {
      return LatchkeySessionChange
    },
    get LatchkeyFactor() {
      return LatchkeyFactor
    },
  }
  const User = defineUser(schemas, resolvedExtensions.User)
  const Account = defineAccount(schemas, resolvedExtensions.Account)
  const Session = defineSession(schemas, resolvedExtensions.Session)
  const VerificationToken = defineVerificationToken(resolvedExtensions.VerificationToken)
  const Authenticator = defineAuthenticator(schemas, resolvedExtensions.Authenticator)
  const LatchkeyLease = defineLease(resolvedExtensions.LatchkeyLease)
  const LatchkeySessionRecord = defineSessionRecord(resolvedExtensions.LatchkeySessionRecord)
  const LatchkeySessionChange = defineSessionChange(resolvedExtensions.LatchkeySessionChange)
  const LatchkeyFactor = defineFactor(resolvedExtensions.LatchkeyFactor)
  const entities = { User, Account, Session, VerificationToken, Authenticator, LatchkeyLease }
  const records = { LatchkeySessionRecord, LatchkeySessionChange }
  const all: EntitySchemas = { ...entities, ...records, LatchkeyFactor }
  for (const { class: entity } of Object.values(all)) schemasByClass.set(entity, all)
  const defined = {
    ...entities,
    ...(options?.sessionRecords && records),
    ...(options?.secondFactor && { LatchkeyFactor }),
  }
  // The types of added properties come from the application's definitions.
  return defined as unknown as Entities<Changes, Options>
}

/** The entities of the same call of `defineEntities`, by class. */
const schemasByClass = new WeakMap<object, EntitySchemas>()

/**
 * Finds Latchkey's entities among those of MikroORM.
 * @throws TypeError unless they include all of one call of `defineEntities`, and no others. Those with names that begin
 *   with `Latchkey` are optional
 */
export function findEntities(orm: MikroORM): EntitySchemas {
  const known = new Set<object>([...orm.getMetadata()].map((metadata) => metadata.class))
  const [entities, ...others] = new Set(
    [...known].flatMap((each) => schemasByClass.get(each) ?? []),
  )
  const missing = Object.entries(entities ?? {}).some(
    ([name, entity]) => !name.startsWith("Latchkey") && !known.has(entity.class),
  )
  if (entities === undefined || others.length > 0 || missing) {
    const hint = "MikroORM.init({ entities: [...Object.values(defineEntities()), …] })"
    throw new TypeError(`MikroOrmAdapter needs the entities of one call of defineEntities: ${hint}`)
  }
  return entities
}

/** Whether entities are registered. Applications may leave optional ones out. */
export function hasEntities(
  { orm, entities }: { readonly orm: MikroORM; readonly entities: EntitySchemas },
  ...names: readonly (keyof EntitySchemas)[]
): boolean {
  const known = new Set<object>([...orm.getMetadata()].map((metadata) => metadata.class))
  return names.every((name) => known.has(entities[name].class))
}

/** Whether the entities of session records and changes are registered. */
export function hasSessionRecordEntities(store: Parameters<typeof hasEntities>[0]): boolean {
  return hasEntities(store, "LatchkeySessionRecord", "LatchkeySessionChange")
}
