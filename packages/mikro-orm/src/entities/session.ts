import { p } from "@mikro-orm/core"
import {
  createIdProperty,
  createOwnerProperties,
  defineExtensibleEntity,
  type EntityExtension,
} from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

export function defineSession(
  schemas: EntitySchemas,
  extension?: EntityExtension,
): EntitySchemas["Session"] {
  const properties = {
    id: createIdProperty(),
    ...createOwnerProperties(schemas),
    sessionToken: p.type(KeyType).length(255).unique().hidden(),
    expires: p.datetime(3).index(),
  }
  return defineExtensibleEntity("Session", { properties }, extension)
}
