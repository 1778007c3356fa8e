import { p } from "@mikro-orm/core"
import {
  createOwnerProperties,
  defineExtensibleEntity,
  type EntityExtension,
} from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

export function defineAuthenticator(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Authenticator"] {
  const properties = {
    // Naming strategies would make `credential_i_d` of the property's name.
    credentialID: p.type(KeyType).length(255).primary().fieldName("credential_id"),
    ...createOwnerProperties(schemas),
    providerAccountId: p.type(KeyType).length(255),
    credentialPublicKey: p.text(),
    counter: p.bigint("number"),
    credentialDeviceType: p.string().length(255),
    credentialBackedUp: p.boolean(),
    transports: p.string().length(255).nullable(),
  }
  return defineExtensibleEntity("Authenticator", { properties }, extension)
}
