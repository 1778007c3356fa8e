import { defineEntity, p } from "@mikro-orm/core"
import { changed, type EntityChange } from "./change.ts"
import { KeyType } from "./keys.ts"
import type { Schemas } from "./types.ts"

/** Defines `Authenticator`. */
export function defineAuthenticator(
  schemas: Schemas,
  change?: EntityChange,
): Schemas["Authenticator"] {
  const own = {
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
  const { table, properties } = changed(own, change)
  const schema = defineEntity({
    name: "Authenticator",
    ...table,
    properties: { ...own, ...properties },
  })
  class Authenticator extends schema.class {
    get userId(): string {
      return this.user.id
    }
  }
  schema.setClass(Authenticator)
  return schema as unknown as Schemas["Authenticator"]
}
