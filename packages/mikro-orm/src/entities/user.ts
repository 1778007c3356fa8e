import { p } from "@mikro-orm/core"
import {
  createIdProperty,
  defineExtensibleEntity,
  type EntityExtension,
} from "./entity-extension.ts"
import type { EntitySchemas, UserEntity } from "./entity-types.ts"
import { EmailType } from "./key-types.ts"

export function defineUser(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["User"] {
  const properties = {
    id: createIdProperty(),
    name: p.text().nullable(),
    // `EmailType` stores "" as NULL, so that the column's default is NULL.
    email: p.type(EmailType).length(255).nullable().unique().default(""),
    emailVerified: p.datetime(3).nullable(),
    image: p.text().nullable(),
    accounts: () => p.oneToMany(schemas.Account).mappedBy("user"),
    sessions: () => p.oneToMany(schemas.Session).mappedBy("user"),
  }
  const hooks = { onLoad: [fillEmptyEmail] }
  const schema = defineExtensibleEntity("User", { properties, hooks }, extension)
  class User extends schema.class {
    override email: string = ""
    override emailVerified: Date | null = null
  }
  schema.setClass(User)
  return schema
}

function fillEmptyEmail({ entity }: { entity: UserEntity }): void {
  entity.email ??= ""
}
