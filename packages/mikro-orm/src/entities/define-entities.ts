import type { EntitySchema, InferEntityFromProperties, MikroORM } from "@mikro-orm/core"
import { defineAccount } from "./account.ts"
import { defineAuthenticator } from "./authenticator.ts"
import type { EntityExtension } from "./entity-extension.ts"
import type { EntitySchemas, EntityTypes } from "./entity-types.ts"
import { defineLease } from "./lease.ts"
import { defineSession } from "./session.ts"
import { defineUser } from "./user.ts"
import { defineVerificationToken } from "./verification-token.ts"

/** Changes of an application to the entities, by name. */
export type EntityExtensions = { readonly [Name in keyof EntityTypes]?: EntityExtension }

/** The entities, with the properties that the application added. */
export type Entities<Changes extends EntityExtensions = object> = {
  readonly [Name in keyof EntityTypes]: EntitySchema<
    EntityTypes[Name] & (Name extends keyof Changes ? AddedProperties<Changes[Name]> : unknown)
  >
}

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
export function defineEntities<const Changes extends EntityExtensions = object>(
  extensions?: Changes,
): Entities<Changes> {
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
  }
  const User = defineUser(schemas, resolvedExtensions.User)
  const Account = defineAccount(schemas, resolvedExtensions.Account)
  const Session = defineSession(schemas, resolvedExtensions.Session)
  const VerificationToken = defineVerificationToken(resolvedExtensions.VerificationToken)
  const Authenticator = defineAuthenticator(schemas, resolvedExtensions.Authenticator)
  const LatchkeyLease = defineLease(resolvedExtensions.LatchkeyLease)
  const entities: EntitySchemas = {
    User,
    Account,
    Session,
    VerificationToken,
    Authenticator,
    LatchkeyLease,
  }
  for (const { class: entity } of Object.values(entities)) schemasByClass.set(entity, entities)
  // The types of added properties come from the application's definitions.
  return entities as unknown as Entities<Changes>
}

/** The entities of the same call of `defineEntities`, by class. */
const schemasByClass = new WeakMap<object, EntitySchemas>()

/**
 * Finds Latchkey's entities among those of MikroORM.
 * @throws TypeError unless they include all of one call of `defineEntities`, and no others. Only leases need their
 *   entity
 */
export function findEntities(orm: MikroORM): EntitySchemas {
  const known = new Set<object>([...orm.getMetadata()].map((metadata) => metadata.class))
  const [entities, ...others] = new Set(
    [...known].flatMap((each) => schemasByClass.get(each) ?? []),
  )
  const { LatchkeyLease: _, ...needed } = entities ?? {}
  const missing = Object.values(needed).some((entity) => !known.has(entity.class))
  if (entities === undefined || others.length > 0 || missing) {
    const hint = "MikroORM.init({ entities: [...Object.values(defineEntities()), …] })"
    throw new TypeError(`MikroOrmAdapter needs the entities of one call of defineEntities: ${hint}`)
  }
  return entities
}

/** Whether the entity of leases is registered. Applications that list their entities by name may leave it out. */
export function hasLeaseEntity(orm: MikroORM, { LatchkeyLease }: EntitySchemas): boolean {
  return [...orm.getMetadata()].some((metadata) => metadata.class === LatchkeyLease.class)
}
