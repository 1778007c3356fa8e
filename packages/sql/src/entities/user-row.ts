import type { AdapterUser } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { dateOrNull, id, textOrNull } from "../schema/read.ts"
import { stored } from "../schema/stored.ts"
import { fieldsFromRow, fieldsToRow, type UserFields } from "../schema/user-fields.ts"

/** What is needed to translate users. */
export interface UserMapping {
  readonly codecs: StoreCodecs
  readonly userFields: UserFields
}

/** Names of all fields that a user is read from. */
export function userFields(mapping: UserMapping): readonly string[] {
  return ["id", "name", "email", "emailVerified", "image", ...Object.keys(mapping.userFields)]
}

/**
 * Turns those fields of a user that are given into columns. The empty address of people without one
 * becomes NULL, of which there may be many.
 */
export function userToRow(
  { codecs, userFields }: UserMapping,
  user: Partial<AdapterUser>,
): Record<string, unknown> {
  const row = fieldsToRow(codecs, userFields, { ...user })
  if (user.name !== undefined) row["name"] = stored(codecs, "User.name", "text", user.name)
  if (user.email !== undefined)
    row["email"] = stored(codecs, "User.email", "key", user.email || null)
  if (user.emailVerified !== undefined) {
    row["emailVerified"] = stored(codecs, "User.emailVerified", "date", user.emailVerified)
  }
  if (user.image !== undefined) row["image"] = stored(codecs, "User.image", "text", user.image)
  return row
}

/** Reads a user. Rows that others wrote may have an empty address, which stands for none here, too. */
export function userFromRow({ codecs, userFields }: UserMapping, row: Row): AdapterUser {
  return {
    ...fieldsFromRow(codecs, userFields, row),
    id: id(row, "id", codecs),
    name: textOrNull(row, "name"),
    email: textOrNull(row, "email") ?? "",
    emailVerified: dateOrNull(row, "emailVerified", codecs),
    image: textOrNull(row, "image"),
  }
}
