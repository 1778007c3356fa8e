/** What is asked of the table of leases: each statement finds one row by its key, or none. */
import { type Compilable, sql } from "kysely"
import type { RowChange } from "../row-statements.ts"
import { namedParameter } from "../statement-template.ts"
import type { QueryBuilder, Store } from "../store.ts"

type BuildQuery = (query: QueryBuilder) => Compilable

/** Reads a lease, whoever has it. */
export function selectLease({ columns }: Store): BuildQuery {
  return (query) =>
    query
      .selectFrom("LatchkeyLease")
      .select(columns.selections("LatchkeyLease", ["holder", "expires", "result"]))
      .where(columns.ref("LatchkeyLease", "key"), "=", namedParameter("key"))
}

/** Stores a lease, or changes nothing where there is one. */
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

/** Takes over a lease that is over, or lets one's own last anew. Nothing is left of an earlier result. */
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

/** Leaves the result of one's own lease, unless it is over. */
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

/** Gives one's own lease back, unless it is completed. */
export function releaseLease({ columns }: Store): BuildQuery {
  return (query) =>
    query
      .deleteFrom("LatchkeyLease")
      .where(columns.ref("LatchkeyLease", "key"), "=", namedParameter("key"))
      .where(columns.ref("LatchkeyLease", "holder"), "=", namedParameter("holder"))
      .where(columns.ref("LatchkeyLease", "result"), "is", null)
}
