import { defineEntity, p } from "@mikro-orm/core"
import { type EntityExtension, resolveExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `VerificationToken`. */
export function defineVerificationToken(
  extension?: EntityExtension,
): EntitySchemas["VerificationToken"] {
  const baseProperties = {
    identifier: p.type(KeyType).length(255).primary(),
    token: p.type(KeyType).length(255).primary().hidden(),
    expires: p.datetime(3).index(),
  }
  const { table, properties } = resolveExtension(baseProperties, extension)
  const schema = defineEntity({
    name: "VerificationToken",
    ...table,
    properties: { ...baseProperties, ...properties },
  })
  return schema as unknown as EntitySchemas["VerificationToken"]
}
