import type { EntitySchema, InferEntityFromProperties, MikroORM } from "@mikro-orm/core"
import { defineAccount } from "./account.ts"
import { defineAuthenticator } from "./authenticator.ts"
import type { EntityChange } from "./change.ts"
import { defineLease } from "./lease.ts"
import { defineSession } from "./session.ts"
import type { Schemas, Shapes } from "./types.ts"
import { defineUser } from "./user.ts"
import { defineVerificationToken } from "./verification-token.ts"

/** What an application changes of the entities, by name. */
export type EntityChanges = { readonly [Name in keyof Shapes]?: EntityChange }

/** The entities, with the properties that an application has added. */
export type Entities<Changes extends EntityChanges = object> = {
  readonly [Name in keyof Shapes]: EntitySchema<
    Shapes[Name] & (Name extends keyof Changes ? Added<Changes[Name]> : unknown)
  >
}

type Added<Change> = Change extends { readonly properties: infer Properties }
  ? Properties extends Readonly<Record<string, object>>
    ? Omit<InferEntityFromProperties<Properties>, symbol>
    : unknown
  : unknown

/**
 * Defines the entities that the adapter works with, for `MikroORM.init` and for relations of your own. Each call
 * defines others.
 *
 * @throws TypeError when a property of yours has the name of one that is there
 *
 * @example
 * const entities = defineEntities({ User: { properties: { role: p.string().default("reader") } } })
 * const orm = await MikroORM.init({ entities: Object.values(entities), dbName: "app" })
 * const adapter = MikroOrmAdapter(orm)
 */
export function defineEntities<const Changes extends EntityChanges = object>(
  changes?: Changes,
): Entities<Changes> {
  const made: EntityChanges = changes ?? {}
  // Relations name each other: they look when all are there.
  const schemas: Schemas = {
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
  const User = defineUser(schemas, made.User)
  const Account = defineAccount(schemas, made.Account)
  const Session = defineSession(schemas, made.Session)
  const VerificationToken = defineVerificationToken(made.VerificationToken)
  const Authenticator = defineAuthenticator(schemas, made.Authenticator)
  const LatchkeyLease = defineLease(made.LatchkeyLease)
  const entities: Schemas = {
    User,
    Account,
    Session,
    VerificationToken,
    Authenticator,
    LatchkeyLease,
  }
  for (const { class: entity } of Object.values(entities)) families.set(entity, entities)
  // The types of what an application has added are those of the properties that it gave.
  return entities as unknown as Entities<Changes>
}

/** What was defined together, by class of an entity. */
const families = new WeakMap<object, Schemas>()

/**
 * Finds the entities of ours that MikroORM was given.
 * @throws TypeError when it was not given all that were defined together, or more. The entity of leases may be missing:
 *   only leases need it
 */
export function entitiesIn(orm: MikroORM): Schemas {
  const known = new Set<object>([...orm.getMetadata()].map((metadata) => metadata.class))
  const [entities, ...others] = new Set([...known].flatMap((each) => families.get(each) ?? []))
  const { LatchkeyLease: _, ...needed } = entities ?? {}
  const missing = Object.values(needed).some((entity) => !known.has(entity.class))
  if (entities === undefined || others.length > 0 || missing) {
    const hint = "MikroORM.init({ entities: [...Object.values(defineEntities()), …] })"
    throw new TypeError(`MikroOrmAdapter needs the entities of one call of defineEntities: ${hint}`)
  }
  return entities
}

/** Whether MikroORM was given the entity of leases, which an application that names each of them need not know. */
export function hasLeases(orm: MikroORM, { LatchkeyLease }: Schemas): boolean {
  return [...orm.getMetadata()].some((metadata) => metadata.class === LatchkeyLease.class)
}
