import { readText, readTextOrNull } from "@latchkey/adapter-kit"
import type { LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { prepareFindFirst, prepareUpdateWithoutRead } from "../row-statements.ts"
import { encodeValue, toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDate } from "../schema/read-column.ts"
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
 * Creates the methods for leases. No transaction stays open while a lease is held. Expiry depends on the clock of the
 * process, as for sessions: if clocks differ by some seconds, a lease ends that much earlier or later for other
 * processes.
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
 * Acquires a lease. It reads first, so that waiting processes, which ask repeatedly, neither write nor lock anything.
 * The statement that writes decides who gets the lease.
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
    // Another process was first, or the row already had these values and the driver counts only changed rows.
    const after = readLeaseState(codecs, await find(name), holder)
    return after.state === "free" ? { state: "held" } : after
  }
}

/** Interprets a row for a holder, to whom a lease may be granted already. */
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

// If no row can have a part, it becomes NULL, which equals nothing.
function toLeaseKeyValues(
  codecs: StoreCodecs,
  { key, holder }: { key: string; holder: string },
): ParameterValues {
  return {
    key: toLookupText(codecs, key, "LatchkeyLease.key"),
    holder: toLookupText(codecs, holder, "LatchkeyLease.holder"),
  }
}
