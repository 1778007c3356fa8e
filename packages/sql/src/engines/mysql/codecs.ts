import type { Codecs } from "../../engine.ts"
import { hasFourDigitYear } from "../four-digit-year.ts"
import { numericBoolean } from "../numeric-boolean.ts"

const datetimePattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/

/**
 * MySQL's encoding of values. Dates are columns without a time zone, written and read as text in UTC, so that the time
 * zones of server and connection and the settings of the driver do not matter.
 */
export const mysqlCodecs: Codecs = {
  boolean: numericBoolean,
  date: {
    encode: (value) =>
      hasFourDigitYear(value) ? value.toISOString().replace("T", " ").replace("Z", "") : undefined,
    decode: (stored) => {
      const [, day, time, fraction = ""] = datetimePattern.exec(String(stored)) ?? []
      if (day === undefined || time === undefined) throw new TypeError("Expected a date.")
      return new Date(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`)
    },
  },
  supportsNul: true,
}
