import type { Codecs } from "../../engine.ts"
import { numericBoolean } from "../numeric-boolean.ts"

/** SQLite's encoding of values, for which it has no types: dates as milliseconds since 1970, booleans as 0 and 1. */
export const sqliteCodecs: Codecs = {
  boolean: numericBoolean,
  date: {
    encode: (value) => value.getTime(),
    decode: (stored) => {
      if (typeof stored !== "number" && typeof stored !== "bigint") {
        throw new TypeError("Expected milliseconds since 1970 in a date column.")
      }
      return new Date(Number(stored))
    },
  },
  supportsNul: true,
}
