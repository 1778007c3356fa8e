import type { Adapter } from "@latchkey/core/adapters"
import { type Compilable, sql } from "kysely"
import { encodeValue } from "../schema/encode-value.ts"
import { bindParameters, compileQuery, namedParameter } from "../statement-template.ts"
import type { QueryBuilder, Store } from "../store.ts"

type ExpiredRowMethods = Required<Pick<Adapter, "deleteExpired">>

/** Entities that expire, and the fields that identify a row. */
const expiringEntities = [
  ["Session", ["sessionToken"]],
  ["VerificationToken", ["identifier", "token"]],
  ["LatchkeyLease", ["key"]],
  ["LatchkeyAttempt", ["key"]],
  ["LatchkeySessionRecord", ["id"]],
  ["LatchkeySessionChange", ["key"]],
] as const

/** How many rows of a table a sweep removes. */
const maxSweptRows = 1000

/**
 * How long ago a row must have expired, in milliseconds. Clocks differ, and the library reports recent expiry as such.
 */
const sweepGracePeriod = 86_400_000

/** Removes expired rows. */
export function createExpiredRowMethods(store: Store): ExpiredRowMethods {
  const entities = expiringEntities.filter(
    ([entity]) => store.sessionRecords || !entity.startsWith("LatchkeySession"),
  )
  return {
    async deleteExpired(before, limit) {
      if (!Number.isSafeInteger(limit) || limit < 1) {
        throw new TypeError("`limit` must be a whole number, 1 or more.")
      }
      let count = 0
      for (const what of entities) count += await removeExpired(store, what, before, limit)
      return count
    },
  }
}

/**
 * Removes expired rows from time to time, so that those of people who never return do not accumulate.
 * @param interval shortest time between two sweeps, in seconds; 0 for never
 */
export function createSweep({ deleteExpired }: ExpiredRowMethods, interval: number): () => void {
  let last = performance.now()
  return () => {
    const now = performance.now()
    if (interval === 0 || now < last + interval * 1000) return
    last = now
    // Sign-ins must neither wait for a sweep nor fail with it. The next sweep tries again.
    void Promise.resolve(
      deleteExpired(new Date(Date.now() - sweepGracePeriod), maxSweptRows),
    ).catch(() => undefined)
  }
}

/** After how many new rows a sweep runs, and how many it removes. */
const rowsPerSweep = 50
const maxRowsPerSweep = 100

/** How long ago a row must have expired, in milliseconds: longer than clocks differ. */
const shortGracePeriod = 60_000

/**
 * Removes leases or attempts as fast as new ones are stored. A busy application grants many more leases than it has
 * sign-ins, and each row holds a result; an attacker can cause any number of attempts.
 * @param interval 0 for never
 */
export function createSweepByCount(
  store: Store,
  entity: "LatchkeyLease" | "LatchkeyAttempt",
  interval: number,
): () => void {
  let stored = 0
  return () => {
    stored += 1
    if (interval === 0 || stored % rowsPerSweep !== 0) return
    const before = new Date(Date.now() - shortGracePeriod)
    // The caller must neither wait for a sweep nor fail with it.
    void removeExpired(store, [entity, ["key"]], before, maxRowsPerSweep).catch(() => undefined)
  }
}

async function removeExpired(
  store: Store,
  what: ExpiringEntity,
  before: Date,
  limit: number,
): Promise<number> {
  const removal =
    store.engine.dialect.deleteLimitStyle === "clause"
      ? deleteWithLimitClause(store, what, limit)
      : deleteWithSubquery(store, what, limit)
  const values = { before: encodeValue(store.codecs, "expires", "date", before) }
  const { affected } = await store.run(
    "deleteExpired",
    bindParameters(compileQuery(removal), values),
  )
  return affected
}

type ExpiringEntity = (typeof expiringEntities)[number]

function deleteWithLimitClause(
  { columns, query }: Store,
  [entity]: ExpiringEntity,
  limit: number,
): Compilable {
  const expires = columns.ref(entity, "expires")
  return query
    .deleteFrom(entity)
    .where(expires, "<", namedParameter("before"))
    .orderBy(expires)
    .limit(sql.lit(limit))
}

function deleteWithSubquery(
  { columns, query }: Store,
  [entity, key]: ExpiringEntity,
  limit: number,
): Compilable {
  const expires = columns.ref(entity, "expires")
  const oldest = (builder: QueryBuilder) =>
    builder
      .selectFrom(entity)
      .select(columns.selections(entity, key))
      .where(expires, "<", namedParameter("before"))
      .orderBy(expires)
      .limit(sql.lit(limit))
  const names = sql.join(key.map((field) => columns.ref(entity, field)))
  return (
    query
      .deleteFrom(entity)
      .where(sql`(${names})`, "in", oldest(query))
      // Sessions that were renewed meanwhile remain: this condition alone is evaluated again after waiting for a lock.
      .where(expires, "<", namedParameter("before"))
  )
}
