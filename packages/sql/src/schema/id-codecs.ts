import type { Codecs } from "../engine.ts"

/**
 * Who makes the ids of rows. `application`: they are text, and the library makes them (UUIDs). `database`: they are
 * whole numbers, and the database counts them.
 */
export type IdSource = "application" | "database"

/** How ids are written. On the outside they are always text. */
export interface IdCodec {
  readonly source: IdSource
  /** Null for text that is the id of nothing. */
  encode(id: string): unknown
  decode(stored: unknown): string
}

/** Codecs of the engine, and that of ids, which depends on an option. */
export interface StoreCodecs extends Codecs {
  readonly id: IdCodec
}

/** As long as PostgreSQL's and MySQL's largest number, less one digit. */
const databaseIdPattern = /^(?:0|[1-9]\d{0,17})$/

/** The codecs of ids. */
export const idCodecs: Readonly<Record<IdSource, IdCodec>> = {
  application: { source: "application", encode: (id) => id, decode: decodeId },
  database: {
    source: "database",
    encode: (id) => (databaseIdPattern.test(id) ? id : null),
    decode: decodeId,
  },
}

/** Drivers give numbers of columns as numbers, text or bigint. */
function decodeId(stored: unknown): string {
  if (typeof stored === "string") return stored
  if (typeof stored === "bigint" || Number.isSafeInteger(stored)) return String(stored)
  throw new TypeError("Expected an id.")
}
