import type { Codecs } from "../engine.ts"

/**
 * JSON as text, character by character what `JSON.stringify` wrote: types of databases for it would lose some of it,
 * and drivers do not agree whether they parse them. Text of others that is no JSON stands for itself.
 */
export const jsonCodec: Codecs["json"] = {
  encode: (value) => JSON.stringify(value),
  decode: (stored) => {
    if (typeof stored !== "string") throw new TypeError("Expected text in a JSON column.")
    try {
      return JSON.parse(stored) as unknown
    } catch {
      return stored
    }
  },
}
