import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"
import { LongTextType } from "./long-text-type.ts"

/** Defines `LatchkeyLease`: an application may have leases of its own. */
export function defineLease(extension?: EntityExtension): EntitySchemas["LatchkeyLease"] {
  const baseProperties = {
    key: p.type(KeyType).length(255).primary(),
    holder: p.type(KeyType).length(255).hidden(),
    expires: p.datetime(3).index(),
    result: p.type(LongTextType).nullable().hidden(),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "LatchkeyLease",
    ...table,
    properties: { ...baseProperties, ...properties },
  })
  return schema as unknown as EntitySchemas["LatchkeyLease"]
}
