import { p } from "@mikro-orm/core"
import { defineExtensibleEntity, type EntityExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

export function defineVerificationToken(
  extension?: EntityExtension,
): EntitySchemas["VerificationToken"] {
  const properties = {
    identifier: p.type(KeyType).length(255).primary(),
    token: p.type(KeyType).length(255).primary().hidden(),
    expires: p.datetime(3).index(),
  }
  return defineExtensibleEntity("VerificationToken", { properties }, extension)
}
