import type { Codecs } from "../../engine.ts"
import { hasFourDigitYear } from "../four-digit-year.ts"

/**
 * PostgreSQL's encoding of values. Dates are written as text with their time zone and read as milliseconds since 1970
 * (`selectDate` of the dialect), so that the time zone and date style of a connection do not matter.
 */
export const postgresCodecs: Codecs = {
  boolean: {
    encode: (value) => value,
    decode: (stored) => {
      if (typeof stored !== "boolean") throw new TypeError("Expected a boolean.")
      return stored
    },
  },
  date: {
    encode: (value) => (hasFourDigitYear(value) ? value.toISOString() : undefined),
    decode: (stored) => {
      const isText = typeof stored === "string" && stored.endsWith("Z")
      const milliseconds = isText ? Date.parse(stored) : Number(stored)
      if (!Number.isSafeInteger(milliseconds)) throw new TypeError("Expected a date.")
      return new Date(milliseconds)
    },
  },
  supportsNul: false,
}
