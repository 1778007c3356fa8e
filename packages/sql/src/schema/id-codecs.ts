import type { Codecs } from "../engine.ts"

/** Codecs for ids: UUIDs that the application generates, or integers that the database generates. */
export type IdSource = "application" | "database"

/** Converts ids, which are text outside the database. */
export interface IdCodec {
  readonly source: IdSource
  /** Returns null for text that cannot be an id. */
  encode(id: string): unknown
  decode(stored: unknown): string
}

/** Codecs of the engine, and of ids, which depend on an option. */
export interface StoreCodecs extends Codecs {
  readonly id: IdCodec
}

/** One digit shorter than the largest number of PostgreSQL and MySQL. */
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

/** Drivers return numeric columns as numbers, text or bigint. */
function decodeId(stored: unknown): string {
  if (typeof stored === "string") return stored
  if (typeof stored === "bigint" || Number.isSafeInteger(stored)) return String(stored)
  throw new TypeError("Expected an id.")
}
