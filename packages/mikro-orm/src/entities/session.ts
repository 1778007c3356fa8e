import { defineEntity, p } from "@mikro-orm/core"
import { changed, type EntityChange } from "./change.ts"
import { KeyType } from "./keys.ts"
import type { Schemas } from "./types.ts"

/** Defines `Session`. */
export function defineSession(schemas: Schemas, change?: EntityChange): Schemas["Session"] {
  const own = {
    id: p
      .string()
      .length(255)
      .primary()
      .onCreate(() => crypto.randomUUID()),
    user: () => p.manyToOne(schemas.User).deleteRule("cascade").index(),
    sessionToken: p.type(KeyType).length(255).unique().hidden(),
    expires: p.datetime(3).index(),
  }
  const { table, properties } = changed(own, change)
  const schema = defineEntity({
    name: "Session",
    ...table,
    properties: { ...own, ...properties },
  })
  class Session extends schema.class {
    get userId(): string {
      return this.user.id
    }
  }
  schema.setClass(Session)
  return schema as unknown as Schemas["Session"]
}
