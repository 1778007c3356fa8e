import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas, UserEntity } from "./entity-types.ts"
import { EmailType } from "./key-types.ts"

/** Defines `User`. */
export function defineUser(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["User"] {
  const baseProperties = {
    id: p
      .string()
      .length(255)
      .primary()
      .onCreate(() => crypto.randomUUID()),
    name: p.text().nullable(),
    email: p.type(EmailType).length(255).nullable().unique(),
    emailVerified: p.datetime(3).nullable(),
    image: p.text().nullable(),
    accounts: () => p.oneToMany(schemas.Account).mappedBy("user"),
    sessions: () => p.oneToMany(schemas.Session).mappedBy("user"),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "User",
    ...table,
    properties: { ...baseProperties, ...properties },
    hooks: { onLoad: [fillEmptyEmail] },
  })
  class User extends schema.class {
    override email: string = ""
    override emailVerified: Date | null = null
  }
  schema.setClass(User)
  return schema as unknown as EntitySchemas["User"]
}

/** No address is NULL in the database, and `""` everywhere else. */
function fillEmptyEmail({ entity }: { entity: UserEntity }): void {
  entity.email ??= ""
}
