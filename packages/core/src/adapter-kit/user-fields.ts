import type { ValueKind } from "./parse-value.ts"

/** Kind of an additional field of users. Every field may also be null. */
export type UserFieldKind = Extract<ValueKind, "boolean" | "date" | "json" | "number" | "text">

/** Additional fields of users, by name. */
export type UserFields = Readonly<Record<string, UserFieldKind>>

const userFieldKinds: readonly UserFieldKind[] = ["boolean", "date", "json", "number", "text"]

/**
 * Checks the option `userFields`.
 * @param reservedNames names of other fields and columns
 * @throws TypeError naming the field that cannot be used
 */
export function validateUserFields(
  fields: UserFields,
  reservedNames: readonly string[],
): UserFields {
  const seen = new Set(reservedNames.map((name) => name.toLowerCase()))
  for (const [name, kind] of Object.entries(fields)) {
    // Every object inherits names such as `constructor`.
    if (!/^[A-Za-z_]\w{0,62}$/.test(name) || seen.has(name.toLowerCase()) || name in {}) {
      throw new TypeError(
        `\`userFields.${name}\` must consist of letters, digits and "_", and differ from all other fields.`,
      )
    }
    if (!userFieldKinds.includes(kind)) {
      throw new TypeError(`\`userFields.${name}\` must be one of ${userFieldKinds.join(", ")}.`)
    }
    seen.add(name.toLowerCase())
  }
  return { ...fields }
}
