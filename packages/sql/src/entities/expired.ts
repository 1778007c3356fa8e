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
      const values = { before: stored(store.codecs, "expires", "date", before) }
      let count = 0
      for (const removal of removals(store, limit)) {
        const { affected } = await store.run("deleteExpired", bind(compile(removal), values))
        count += affected
      }
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

function removals(store: Store, limit: number): readonly Compilable[] {
  return expiring.map(([entity, key]) =>
    store.engine.dialect.limitedDelete === "clause"
      ? byClause(store, entity, limit)
      : bySubquery(store, entity, key, limit),
  )
}

type Expiring = (typeof expiring)[number][0]

function byClause({ columns, query }: Store, entity: Expiring, limit: number): Compilable {
  const expires = columns.of(entity, "expires")
  return query
    .deleteFrom(entity)
    .where(expires, "<", slot("before"))
    .orderBy(expires)
    .limit(sql.lit(limit))
}

function bySubquery(
  { columns, query }: Store,
  entity: Expiring,
  key: readonly string[],
  limit: number,
): Compilable {
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
