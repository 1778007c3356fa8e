import { p } from "@mikro-orm/core"
import {
  createIdProperty,
  createOwnerProperties,
  defineExtensibleEntity,
  type EntityExtension,
} from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

export function defineAccount(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Account"] {
  const properties = {
    id: createIdProperty(),
    ...createOwnerProperties(schemas),
    type: p.string().length(255),
    provider: p.type(KeyType).length(255),
    providerAccountId: p.type(KeyType).length(255),
    // Hidden, so that serializing an account, or a user with accounts, does not reveal them.
    access_token: p.text().nullable().hidden(),
    refresh_token: p.text().nullable().hidden(),
    id_token: p.text().nullable().hidden(),
    scope: p.text().nullable(),
    token_type: p.string().length(255).nullable(),
    // 32 bits hold seconds until 2038 only.
    expires_at: p.bigint("number").nullable(),
    session_state: p.json<unknown>().nullable(),
  }
  const uniques = [{ properties: ["provider", "providerAccountId"] }]
  return defineExtensibleEntity("Account", { properties, uniques }, extension)
}
