import { p } from "@mikro-orm/core"
import { defineExtensibleEntity, type EntityExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `LatchkeyFactor`. Without a relation to the user, who need not be stored. */
export function defineFactor(extension?: EntityExtension): EntitySchemas["LatchkeyFactor"] {
  const properties = {
    id: p.type(KeyType).length(64).primary(),
    userId: p.type(KeyType).length(255).index(),
    method: p.string().length(32),
    createdAt: p.datetime(3),
    version: p.integer(),
    data: p.text().hidden(),
  }
  return defineExtensibleEntity("LatchkeyFactor", { properties }, extension)
}
