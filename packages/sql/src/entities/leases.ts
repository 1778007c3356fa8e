import type { LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { prepareFindFirst, prepareUpdateWithoutRead } from "../row-statements.ts"
import { encodeValue, toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDate, readText, readTextOrNull } from "../schema/read-column.ts"
import type { ParameterValues } from "../statement-template.ts"
import { prepareStatement, type Store } from "../store.ts"
import {
  completeLease,
  insertLease,
  releaseLease,
  selectLease,
  takeOverLease,
} from "./lease-queries.ts"

/**
 * The methods for leases. No transaction is open while the work is done. The clock is that of the process, as for
 * sessions: where clocks differ by some seconds, a lease ends as much earlier or later for others.
 *
 * @param onGranted called after a lease was granted
 */
export function createLeaseMethods(store: Store, onGranted: () => void): LeaseStore {
  const { codecs } = store
  const settle = prepareUpdateWithoutRead(store, "completeLease", completeLease(store))
  const deleteLease = prepareStatement(store, "releaseLease", releaseLease(store))
  return {
    acquireLease: buildAcquireLease(store, onGranted),
    async completeLease({ key, holder, lifetime, result }) {
      const row = await settle({
        ...toLeaseKeyValues(codecs, { key, holder }),
        expires: encodeValue(codecs, "LatchkeyLease.expires", "date", expiryAfter(lifetime)),
        now: codecs.date.encode(new Date()),
        result: encodeValue(codecs, "LatchkeyLease.result", "text", result),
      })
      return row !== null
    },
    async releaseLease(lease) {
      await deleteLease(toLeaseKeyValues(codecs, lease))
    },
  }
}

/**
 * Reads first: those who wait ask again and again, and neither write nor lock anything by it. Who gets a lease is
 * decided by the statement that writes.
 */
function buildAcquireLease(store: Store, onGranted: () => void): LeaseStore["acquireLease"] {
  const { codecs } = store
  const find = prepareFindFirst(store, "acquireLease", selectLease(store))
  const insert = prepareStatement(store, "acquireLease", insertLease(store))
  const take = prepareStatement(store, "acquireLease", takeOverLease(store))
  return async ({ key, holder, lifetime }) => {
    const name = {
      key: encodeValue(codecs, "LatchkeyLease.key", "key", key),
      holder: encodeValue(codecs, "LatchkeyLease.holder", "key", holder),
    }
    const row = await find(name)
    const before = readLeaseState(codecs, row, holder)
    if (before.state === "held" || before.state === "completed") return before
    const expires = encodeValue(codecs, "LatchkeyLease.expires", "date", expiryAfter(lifetime))
    const now = codecs.date.encode(new Date())
    const { affected } = await (row === null ? insert : take)({ ...name, expires, now })
    if (affected > 0) {
      onGranted()
      return { state: "granted" }
    }
    // Somebody else was first; or nothing is different now, and the driver counts only what is.
    const after = readLeaseState(codecs, await find(name), holder)
    return after.state === "free" ? { state: "held" } : after
  }
}

/** What a row means for a holder: what is granted already is theirs. */
function readLeaseState(
  codecs: StoreCodecs,
  row: Row | null,
  holder: string,
): LeaseStatus | { readonly state: "free" } {
  if (row === null || readDate(row, "expires", codecs).getTime() <= Date.now())
    return { state: "free" }
  const result = readTextOrNull(row, "result")
  if (result !== null) return { state: "completed", result }
  return { state: readText(row, "holder") === holder ? "granted" : "held" }
}

function expiryAfter(lifetime: number): Date {
  return new Date(Date.now() + lifetime)
}

// A part that no row can have is NULL, which equals nothing.
function toLeaseKeyValues(
  codecs: StoreCodecs,
  { key, holder }: { key: string; holder: string },
): ParameterValues {
  return {
    key: toLookupText(codecs, key, "LatchkeyLease.key"),
    holder: toLookupText(codecs, holder, "LatchkeyLease.holder"),
  }
}
