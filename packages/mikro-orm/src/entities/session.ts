import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `Session`. */
export function defineSession(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Session"] {
  const baseProperties = {
    id: p
      .string()
      .length(255)
      .primary()
      .onCreate(() => crypto.randomUUID()),
    user: () => p.manyToOne(schemas.User).deleteRule("cascade").index(),
    sessionToken: p.type(KeyType).length(255).unique().hidden(),
    expires: p.datetime(3).index(),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "Session",
    ...table,
    properties: { ...baseProperties, ...properties },
  })
  class Session extends schema.class {
    get userId(): string {
      return this.user.id
    }
  }
  schema.setClass(Session)
  return schema as unknown as EntitySchemas["Session"]
}
