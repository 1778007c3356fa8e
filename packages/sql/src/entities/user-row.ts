import type { AdapterUser } from "@latchkey/core/adapters"
import type { Codecs, Row } from "../engine.ts"
import { dateOrNull, text, textOrNull } from "../schema/read.ts"
import { stored } from "../schema/stored.ts"
import { fieldsFromRow, fieldsToRow, type UserFields } from "../schema/user-fields.ts"

/** What is needed to translate users. */
export interface UserMapping {
  readonly codecs: Codecs
  readonly userFields: UserFields
}

/** Names of all columns that a user is read from. */
export function userColumns(mapping: UserMapping): readonly string[] {
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

/** Reads a user. */
export function userFromRow({ codecs, userFields }: UserMapping, row: Row): AdapterUser {
  return {
    ...fieldsFromRow(codecs, userFields, row),
    id: text(row, "id"),
    name: textOrNull(row, "name"),
    email: textOrNull(row, "email") ?? "",
    emailVerified: dateOrNull(row, "emailVerified", codecs),
    image: textOrNull(row, "image"),
  }
}
