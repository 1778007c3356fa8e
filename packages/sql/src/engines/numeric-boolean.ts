import type { Codecs } from "../engine.ts"

/** Encodes booleans as 0 and 1, for engines without a type for them. */
export const numericBoolean: Codecs["boolean"] = {
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => {
    const value = Number(stored)
    if (value !== 0 && value !== 1) throw new TypeError("Expected 0 or 1 in a boolean column.")
    return value === 1
  },
}
