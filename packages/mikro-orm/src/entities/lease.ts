import { defineEntity, p } from "@mikro-orm/core"
import { changed, type EntityChange } from "./change.ts"
import { KeyType } from "./keys.ts"
import { LongTextType } from "./texts.ts"
import type { Schemas } from "./types.ts"

/** Defines `LatchkeyLease`: an application may have leases of its own. */
export function defineLease(change?: EntityChange): Schemas["LatchkeyLease"] {
  const own = {
    key: p.type(KeyType).length(255).primary(),
    holder: p.type(KeyType).length(255).hidden(),
    expires: p.datetime(3).index(),
    result: p.type(LongTextType).nullable().hidden(),
  }
  const { table, properties } = changed(own, change)
  const schema = defineEntity({
    name: "LatchkeyLease",
    ...table,
    properties: { ...own, ...properties },
  })
  return schema as unknown as Schemas["LatchkeyLease"]
}
