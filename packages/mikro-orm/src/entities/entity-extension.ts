import { defineEntity, p } from "@mikro-orm/core"
import type { EntitySchemas } from "./entity-types.ts"

/** Changes of an application to an entity. */
export interface EntityExtension {
  /** The name of the table. @defaultValue what MikroORM's naming strategy makes of the entity's name */
  readonly tableName?: string
  /** Additional properties, made with `p` of MikroORM. */
  readonly properties?: Readonly<Record<string, object>>
}

interface EntityDefinition {
  readonly properties: object
  readonly uniques?: { properties: string[] }[]
  readonly hooks?: object
}

/**
 * Defines an entity with the changes of an application. The type does not have the application's properties.
 * @throws TypeError when the application redefines one of `properties`, because the adapter relies on them
 */
export function defineExtensibleEntity<Name extends keyof EntitySchemas>(
  name: Name,
  { properties: baseProperties, ...definition }: EntityDefinition,
  { tableName, properties = {} }: EntityExtension = {},
): EntitySchemas[Name] {
  const duplicateName = Object.keys(properties).find((property) => property in baseProperties)
  if (duplicateName !== undefined) {
    throw new TypeError(
      `defineEntities: ${name} already has a property ${duplicateName}; choose another name`,
    )
  }
  const schema = defineEntity({
    name,
    ...(tableName !== undefined && { tableName }),
    ...definition,
    properties: { ...baseProperties, ...properties },
  })
  if ("userId" in baseProperties) {
    Object.defineProperty(schema.class.prototype, "userId", {
      configurable: true,
      get(this: { user: { id: string } }) {
        return this.user.id
      },
    })
  }
  return schema as unknown as EntitySchemas[Name]
}

/** Defines a primary key that is a random UUID by default. */
export function createIdProperty(): object {
  return p
    .string()
    .length(255)
    .primary()
    .onCreate(() => crypto.randomUUID())
}

/** Defines the relation to the owner, and `userId`, which reads the owner's id from it. */
export function createOwnerProperties(schemas: EntitySchemas): object {
  return {
    user: () => p.manyToOne(schemas.User).deleteRule("cascade").index(),
    userId: p.string().persist(false).getter(),
  }
}
