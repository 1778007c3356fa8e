import type { LeaseAnswer, LeaseStore } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import type { Values } from "../query.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { date, text, textOrNull } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Store } from "../store.ts"
import { changingBlindly, first } from "../touching.ts"
import { insertion, reading, release, settlement, takeover } from "./lease-queries.ts"

/**
 * The methods for leases. No transaction is open while the work is done. The clock is that of the process, as for
 * sessions: where clocks differ by some seconds, a lease ends as much earlier or later for others.
 *
 * @param granted called after a lease was granted
 */
export function leases(store: Store, granted: () => void): LeaseStore {
  const { codecs } = store
  const settle = changingBlindly(store, "settleLease", settlement(store))
  const giveBack = prepared(store, "releaseLease", release(store))
  return {
    acquireLease: acquisition(store, granted),
    async settleLease({ key, holder, lifetime, result }) {
      const row = await settle({
        ...nameOf(codecs, { key, holder }),
        expires: stored(codecs, "LatchkeyLease.expires", "date", ending(lifetime)),
        now: codecs.date.encode(new Date()),
        result: stored(codecs, "LatchkeyLease.result", "text", result),
      })
      return row !== null
    },
    async releaseLease(lease) {
      await giveBack(nameOf(codecs, lease))
    },
  }
}

/**
 * Reads first: those who wait ask again and again, and neither write nor lock anything by it. Who gets a lease is
 * decided by the statement that writes.
 */
function acquisition(store: Store, granted: () => void): LeaseStore["acquireLease"] {
  const { codecs } = store
  const find = first(store, "acquireLease", reading(store))
  const insert = prepared(store, "acquireLease", insertion(store))
  const take = prepared(store, "acquireLease", takeover(store))
  return async ({ key, holder, lifetime }) => {
    const name = {
      key: stored(codecs, "LatchkeyLease.key", "key", key),
      holder: stored(codecs, "LatchkeyLease.holder", "key", holder),
    }
    const row = await find(name)
    const before = standing(codecs, row, holder)
    if (before.state === "held" || before.state === "settled") return before
    const expires = stored(codecs, "LatchkeyLease.expires", "date", ending(lifetime))
    const now = codecs.date.encode(new Date())
    const { affected } = await (row === null ? insert : take)({ ...name, expires, now })
    if (affected > 0) {
      granted()
      return { state: "granted" }
    }
    // Somebody else was first; or nothing is different now, and the driver counts only what is.
    const after = standing(codecs, await find(name), holder)
    return after.state === "free" ? { state: "held" } : after
  }
}

/** What a row means for a holder: what is granted already is theirs. */
function standing(
  codecs: StoreCodecs,
  row: Row | null,
  holder: string,
): LeaseAnswer | { readonly state: "free" } {
  if (row === null || date(row, "expires", codecs).getTime() <= Date.now()) return { state: "free" }
  const result = textOrNull(row, "result")
  if (result !== null) return { state: "settled", result }
  return { state: text(row, "holder") === holder ? "granted" : "held" }
}

function ending(lifetime: number): Date {
  return new Date(Date.now() + lifetime)
}

// A part that no row can have is NULL, which equals nothing.
function nameOf(codecs: StoreCodecs, { key, holder }: { key: string; holder: string }): Values {
  return {
    key: lookup(codecs, key, "LatchkeyLease.key"),
    holder: lookup(codecs, holder, "LatchkeyLease.holder"),
  }
}
