import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `Account`. */
export function defineAccount(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Account"] {
  const baseProperties = {
    id: p
      .string()
      .length(255)
      .primary()
      .onCreate(() => crypto.randomUUID()),
    user: () => p.manyToOne(schemas.User).deleteRule("cascade").index(),
    type: p.string().length(255),
    provider: p.type(KeyType).length(255),
    providerAccountId: p.type(KeyType).length(255),
    // Hidden: an account that is shown, with its user for one, does not show them.
    access_token: p.text().nullable().hidden(),
    refresh_token: p.text().nullable().hidden(),
    id_token: p.text().nullable().hidden(),
    scope: p.text().nullable(),
    token_type: p.string().length(255).nullable(),
    // Seconds that 32 bits hold end in 2038.
    expires_at: p.bigint("number").nullable(),
    session_state: p.json<unknown>().nullable(),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "Account",
    ...table,
    uniques: [{ properties: ["provider", "providerAccountId"] }],
    properties: { ...baseProperties, ...properties },
  })
  class Account extends schema.class {
    get userId(): string {
      return this.user.id
    }
  }
  schema.setClass(Account)
  return schema as unknown as EntitySchemas["Account"]
}
