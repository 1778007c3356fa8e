import { defineEntity, p } from "@mikro-orm/core"
import { changed, type EntityChange } from "./change.ts"
import { KeyType } from "./keys.ts"
import type { Schemas } from "./types.ts"

/** Defines `VerificationToken`. */
export function defineVerificationToken(change?: EntityChange): Schemas["VerificationToken"] {
  const own = {
    identifier: p.type(KeyType).length(255).primary(),
    token: p.type(KeyType).length(255).primary().hidden(),
    expires: p.datetime(3).index(),
  }
  const { table, properties } = changed(own, change)
  const schema = defineEntity({
    name: "VerificationToken",
    ...table,
    properties: { ...own, ...properties },
  })
  return schema as unknown as Schemas["VerificationToken"]
}
