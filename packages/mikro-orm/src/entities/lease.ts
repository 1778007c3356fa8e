import { p } from "@mikro-orm/core"
import { defineExtensibleEntity, type EntityExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"
import { LongTextType } from "./long-text-type.ts"

/** Defines `LatchkeyLease`, whose name leaves `Lease` to the application. */
export function defineLease(extension?: EntityExtension): EntitySchemas["LatchkeyLease"] {
  const properties = {
    key: p.type(KeyType).length(255).primary(),
    holder: p.type(KeyType).length(255).hidden(),
    expires: p.datetime(3).index(),
    result: p.type(LongTextType).nullable().hidden(),
  }
  return defineExtensibleEntity("LatchkeyLease", { properties }, extension)
}
