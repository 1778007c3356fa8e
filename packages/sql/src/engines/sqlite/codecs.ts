import type { Codecs } from "../../engine.ts"

/** SQLite's encoding of values, for which it has no types: dates as milliseconds since 1970, booleans as 0 and 1. */
export const sqliteCodecs: Codecs = {
  boolean: {
    encode: (value) => (value ? 1 : 0),
    decode: (stored) => {
      const value = Number(stored)
      if (value !== 0 && value !== 1) throw new TypeError("Expected 0 or 1 in a boolean column.")
      return value === 1
    },
  },
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
