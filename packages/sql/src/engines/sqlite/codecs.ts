import type { Codecs } from "../../engine.ts"

/**
 * How SQLite, which has no types for them, keeps these values: dates as milliseconds since 1970, booleans
 * as 0 and 1, JSON as text.
 */
export const sqliteCodecs: Codecs = {
  boolean: {
    encode: (value) => (value ? 1 : 0),
    decode: (stored) => {
      if (stored !== 0 && stored !== 1) throw new TypeError("Expected 0 or 1 in a boolean column.")
      return stored === 1
    },
  },
  date: {
    encode: (value) => value.getTime(),
    decode: (stored) => {
      if (typeof stored !== "number") {
        throw new TypeError("Expected milliseconds since 1970 in a date column.")
      }
      return new Date(stored)
    },
  },
  json: {
    encode: (value) => JSON.stringify(value),
    decode: (stored) => {
      if (typeof stored !== "string") throw new TypeError("Expected text in a JSON column.")
      return JSON.parse(stored) as unknown
    },
  },
}
