/** What is asked of the table of leases: each statement finds one row by its key, or none. */
import { type Compilable, sql } from "kysely"
import { slot } from "../query.ts"
import type { Query, Store } from "../store.ts"
import type { Change } from "../touching.ts"

type Build = (query: Query) => Compilable

/** Reads a lease, whoever has it. */
export function reading({ columns }: Store): Build {
  return (query) =>
    query
      .selectFrom("LatchkeyLease")
      .select(columns.read("LatchkeyLease", ["holder", "expires", "result"]))
      .where(columns.of("LatchkeyLease", "key"), "=", slot("key"))
}

/** Stores a lease, or changes nothing where there is one. */
export function insertion({ columns, engine }: Store): Build {
  return (query) => {
    const insert = query
      .insertInto("LatchkeyLease")
      .values(columns.slots("LatchkeyLease", ["key", "holder", "expires"]))
    return engine.dialect.ignoresByKeyword
      ? insert.ignore()
      : insert.onConflict((conflict) => conflict.doNothing())
  }
}

/** Takes over a lease that is over, or lets one's own last anew. Nothing is left of an earlier result. */
export function takeover({ columns }: Store): Build {
  const over = sql`${columns.of("LatchkeyLease", "expires")} <= ${slot("now")}`
  const mine = sql`${columns.of("LatchkeyLease", "holder")} = ${slot("holder")}`
  const open = sql`${columns.of("LatchkeyLease", "result")} is null`
  return (query) =>
    query
      .updateTable("LatchkeyLease")
      .set(columns.slots("LatchkeyLease", ["holder", "expires", "result"]))
      .where(columns.of("LatchkeyLease", "key"), "=", slot("key"))
      .where(sql<boolean>`(${over} or (${mine} and ${open}))`)
}

/** Leaves the result of one's own lease, unless it is over. */
export function settlement({ columns }: Store): Change {
  const key = columns.of("LatchkeyLease", "key")
  const holder = columns.of("LatchkeyLease", "holder")
  const plain = (query: Query) =>
    query
      .updateTable("LatchkeyLease")
      .set(columns.slots("LatchkeyLease", ["expires", "result"]))
      .where(key, "=", slot("key"))
      .where(holder, "=", slot("holder"))
      .where(columns.of("LatchkeyLease", "expires"), ">", slot("now"))
  return {
    plain,
    returning: (query) => plain(query).returning(columns.read("LatchkeyLease", ["holder"])),
    read: (query) =>
      query
        .selectFrom("LatchkeyLease")
        .select(columns.read("LatchkeyLease", ["holder"]))
        .where(key, "=", slot("key"))
        .where(holder, "=", slot("holder"))
        .where(columns.of("LatchkeyLease", "result"), "is not", null),
  }
}

/** Gives one's own lease back, unless it is settled. */
export function release({ columns }: Store): Build {
  return (query) =>
    query
      .deleteFrom("LatchkeyLease")
      .where(columns.of("LatchkeyLease", "key"), "=", slot("key"))
      .where(columns.of("LatchkeyLease", "holder"), "=", slot("holder"))
      .where(columns.of("LatchkeyLease", "result"), "is", null)
}
