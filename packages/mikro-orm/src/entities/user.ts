import { defineEntity, p } from "@mikro-orm/core"
import { changed, type EntityChange } from "./change.ts"
import { EmailType } from "./keys.ts"
import type { Schemas, UserEntity } from "./types.ts"

/** Defines `User`. */
export function defineUser(schemas: Schemas, change?: EntityChange): Schemas["User"] {
  const own = {
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
  const { table, properties } = changed(own, change)
  const schema = defineEntity({
    name: "User",
    ...table,
    properties: { ...own, ...properties },
    hooks: { onLoad: [withAddress] },
  })
  class User extends schema.class {
    override email: string = ""
    override emailVerified: Date | null = null
  }
  schema.setClass(User)
  return schema as unknown as Schemas["User"]
}

/** No address is NULL in the database, and `""` everywhere else. */
function withAddress({ entity }: { entity: UserEntity }): void {
  entity.email ??= ""
}
