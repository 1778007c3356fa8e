import type { Adapter } from "@latchkey/core/adapters"
import { type Compilable, sql } from "kysely"
import { bind, compile, slot } from "../query.ts"
import { stored } from "../schema/stored.ts"
import type { Query, Store } from "../store.ts"

type Removal = Required<Pick<Adapter, "deleteExpired">>

/** What expires, and the fields that name a row of it. */
const expiring = [
  ["Session", ["sessionToken"]],
  ["VerificationToken", ["identifier", "token"]],
  ["LatchkeyLease", ["key"]],
] as const

/** How many rows of a table are removed in passing. */
const handful = 1000

/** How long a row has to be over by then, in milliseconds: clocks differ, and the library likes to say "expired". */
const grace = 86_400_000

/** Removes rows whose time is over. */
export function expired(store: Store): Removal {
  return {
    async deleteExpired(before, limit) {
      if (!Number.isSafeInteger(limit) || limit < 1) {
        throw new TypeError("`limit` must be a whole number, 1 or more.")
      }
      let count = 0
      for (const what of expiring) count += await remove(store, what, before, limit)
      return count
    },
  }
}

/**
 * Removes rows now and then, so that those of people who never come back do not add up.
 * @param interval shortest time between two sweeps, in seconds; 0 for none at all
 */
export function sweeping({ deleteExpired }: Removal, interval: number): () => void {
  let last = performance.now()
  return () => {
    const now = performance.now()
    if (interval === 0 || now < last + interval * 1000) return
    last = now
    // A sign-in must neither wait for this nor fail with it; the next ones try again.
    void Promise.resolve(deleteExpired(new Date(Date.now() - grace), handful)).catch(
      () => undefined,
    )
  }
}

/** How many leases are granted between two sweeps of them, and how many rows one of these removes. */
const every = 50
const most = 100

/** How long a lease has to be over by then, in milliseconds: longer than clocks differ. */
const leaseGrace = 60_000

/**
 * Removes leases as fast as new ones come. A busy application gets many more of them than sign-ins, each with its result.
 * @param interval 0 for none at all
 */
export function sweepingLeases(store: Store, interval: number): () => void {
  let granted = 0
  return () => {
    granted += 1
    if (interval === 0 || granted % every !== 0) return
    const before = new Date(Date.now() - leaseGrace)
    // What they were granted for must neither wait for this nor fail with it.
    void remove(store, ["LatchkeyLease", ["key"]], before, most).catch(() => undefined)
  }
}

async function remove(store: Store, what: Expiring, before: Date, limit: number): Promise<number> {
  const removal =
    store.engine.dialect.limitedDelete === "clause"
      ? byClause(store, what, limit)
      : bySubquery(store, what, limit)
  const values = { before: stored(store.codecs, "expires", "date", before) }
  const { affected } = await store.run("deleteExpired", bind(compile(removal), values))
  return affected
}

type Expiring = (typeof expiring)[number]

function byClause({ columns, query }: Store, [entity]: Expiring, limit: number): Compilable {
  const expires = columns.of(entity, "expires")
  return query
    .deleteFrom(entity)
    .where(expires, "<", slot("before"))
    .orderBy(expires)
    .limit(sql.lit(limit))
}

function bySubquery({ columns, query }: Store, [entity, key]: Expiring, limit: number): Compilable {
  const expires = columns.of(entity, "expires")
  const oldest = (builder: Query) =>
    builder
      .selectFrom(entity)
      .select(columns.read(entity, key))
      .where(expires, "<", slot("before"))
      .orderBy(expires)
      .limit(sql.lit(limit))
  const names = sql.join(key.map((field) => columns.of(entity, field)))
  return (
    query
      .deleteFrom(entity)
      .where(sql`(${names})`, "in", oldest(query))
      // Who has renewed one meanwhile keeps it: this alone is looked at again after waiting for them.
      .where(expires, "<", slot("before"))
  )
}
