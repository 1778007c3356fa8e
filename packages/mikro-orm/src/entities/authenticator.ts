import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `Authenticator`. */
export function defineAuthenticator(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Authenticator"] {
  const baseProperties = {
    // The name that the naming strategies would make of it is `credential_i_d`.
    credentialID: p.type(KeyType).length(255).primary().fieldName("credential_id"),
    user: () => p.manyToOne(schemas.User).deleteRule("cascade").index(),
    providerAccountId: p.type(KeyType).length(255),
    credentialPublicKey: p.text(),
    counter: p.bigint("number"),
    credentialDeviceType: p.string().length(255),
    credentialBackedUp: p.boolean(),
    transports: p.string().length(255).nullable(),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "Authenticator",
    ...table,
    properties: { ...baseProperties, ...properties },
  })
  class Authenticator extends schema.class {
    get userId(): string {
      return this.user.id
    }
  }
  schema.setClass(Authenticator)
  return schema as unknown as EntitySchemas["Authenticator"]
}
