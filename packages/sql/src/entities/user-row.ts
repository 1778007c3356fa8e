import type { AdapterUser } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { encodeValue } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDateOrNull, readId, readTextOrNull } from "../schema/read-column.ts"
import { type UserFields, userFieldsFromRow, userFieldsToRow } from "../schema/user-fields.ts"

/** What is needed to translate users. */
export interface UserMapping {
  readonly codecs: StoreCodecs
  readonly userFields: UserFields
}

/** Names of all fields that a user is read from. */
export function allUserFields(mapping: UserMapping): readonly string[] {
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
  const row = userFieldsToRow(codecs, userFields, { ...user })
  if (user.name !== undefined) row["name"] = encodeValue(codecs, "User.name", "text", user.name)
  if (user.email !== undefined)
    row["email"] = encodeValue(codecs, "User.email", "key", user.email || null)
  if (user.emailVerified !== undefined) {
    row["emailVerified"] = encodeValue(codecs, "User.emailVerified", "date", user.emailVerified)
  }
  if (user.image !== undefined) row["image"] = encodeValue(codecs, "User.image", "text", user.image)
  return row
}

/** Reads a user. Rows that others wrote may have an empty address, which stands for none here, too. */
export function userFromRow({ codecs, userFields }: UserMapping, row: Row): AdapterUser {
  return {
    ...userFieldsFromRow(codecs, userFields, row),
    id: readId(row, "id", codecs),
    name: readTextOrNull(row, "name"),
    email: readTextOrNull(row, "email") ?? "",
    emailVerified: readDateOrNull(row, "emailVerified", codecs),
    image: readTextOrNull(row, "image"),
  }
}
