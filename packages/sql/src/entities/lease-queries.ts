/** Queries on the table of leases. Each matches at most one row, by its key. */
import { type Compilable, sql } from "kysely"
import type { RowChange } from "../row-statements.ts"
import { namedParameter } from "../statement-template.ts"
import type { QueryBuilder, Store } from "../store.ts"

type BuildQuery = (query: QueryBuilder) => Compilable

/** Reads a lease of any holder. */
export function selectLease({ columns }: Store): BuildQuery {
  return (query) =>
    query
      .selectFrom("LatchkeyLease")
      .select(columns.selections("LatchkeyLease", ["holder", "expires", "result"]))
      .where(columns.ref("LatchkeyLease", "key"), "=", namedParameter("key"))
}

/** Stores a lease unless one exists. */
export function insertLease({ columns, engine }: Store): BuildQuery {
  return (query) => {
    const insert = query
      .insertInto("LatchkeyLease")
      .values(columns.namedParameters("LatchkeyLease", ["key", "holder", "expires"]))
    return engine.dialect.supportsInsertIgnore
      ? insert.ignore()
      : insert.onConflict((conflict) => conflict.doNothing())
  }
}

/** Takes over an expired lease, or renews one's own, and clears any earlier result. */
export function takeOverLease({ columns }: Store): BuildQuery {
  const isExpired = sql`${columns.ref("LatchkeyLease", "expires")} <= ${namedParameter("now")}`
  const isHolder = sql`${columns.ref("LatchkeyLease", "holder")} = ${namedParameter("holder")}`
  const isIncomplete = sql`${columns.ref("LatchkeyLease", "result")} is null`
  return (query) =>
    query
      .updateTable("LatchkeyLease")
      .set(columns.namedParameters("LatchkeyLease", ["holder", "expires", "result"]))
      .where(columns.ref("LatchkeyLease", "key"), "=", namedParameter("key"))
      .where(sql<boolean>`(${isExpired} or (${isHolder} and ${isIncomplete}))`)
}

/** Stores the result of one's own unexpired lease. */
export function completeLease({ columns }: Store): RowChange {
  const key = columns.ref("LatchkeyLease", "key")
  const holder = columns.ref("LatchkeyLease", "holder")
  const plain = (query: QueryBuilder) =>
    query
      .updateTable("LatchkeyLease")
      .set(columns.namedParameters("LatchkeyLease", ["expires", "result"]))
      .where(key, "=", namedParameter("key"))
      .where(holder, "=", namedParameter("holder"))
      .where(columns.ref("LatchkeyLease", "expires"), ">", namedParameter("now"))
  return {
    plain,
    returning: (query) => plain(query).returning(columns.selections("LatchkeyLease", ["holder"])),
    read: (query) =>
      query
        .selectFrom("LatchkeyLease")
        .select(columns.selections("LatchkeyLease", ["holder"]))
        .where(key, "=", namedParameter("key"))
        .where(holder, "=", namedParameter("holder"))
        .where(columns.ref("LatchkeyLease", "result"), "is not", null),
  }
}

/** Deletes one's own lease unless it has a result. */
export function releaseLease({ columns }: Store): BuildQuery {
  return (query) =>
    query
      .deleteFrom("LatchkeyLease")
      .where(columns.ref("LatchkeyLease", "key"), "=", namedParameter("key"))
      .where(columns.ref("LatchkeyLease", "holder"), "=", namedParameter("holder"))
      .where(columns.ref("LatchkeyLease", "result"), "is", null)
}
