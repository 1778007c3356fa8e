import { p } from "@mikro-orm/core"
import { defineExtensibleEntity, type EntityExtension } from "./entity-extension.ts"
import type { EntitySchemas } from "./entity-types.ts"
import { KeyType } from "./key-types.ts"

/** Defines `LatchkeySessionRecord`. Without a relation to the user, who need not be stored. */
export function defineSessionRecord(
  extension?: EntityExtension,
): EntitySchemas["LatchkeySessionRecord"] {
  const properties = {
    id: p.type(KeyType).length(64).primary(),
    userId: p.type(KeyType).length(255).index(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    expires: p.datetime(3).index(),
    providerSession: p.type(KeyType).length(64).nullable().index(),
    providerSubject: p.type(KeyType).length(64).nullable().index(),
    details: p.text(),
  }
  return defineExtensibleEntity("LatchkeySessionRecord", { properties }, extension)
}

export function defineSessionChange(
  extension?: EntityExtension,
): EntitySchemas["LatchkeySessionChange"] {
  const properties = {
    key: p.type(KeyType).length(80).primary(),
    changedAt: p.datetime(3).index(),
    expires: p.datetime(3).index(),
    details: p.text(),
  }
  return defineExtensibleEntity("LatchkeySessionChange", { properties }, extension)
}
