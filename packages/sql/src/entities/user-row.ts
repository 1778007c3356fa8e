import { readTextOrNull, recordFields, type UserFields } from "@latchkey/adapter-kit"
import type { AdapterUser } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { encodeRecord } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDateOrNull, readId } from "../schema/read-column.ts"
import { userFieldsFromRow, userFieldsToRow } from "../schema/user-fields.ts"

interface UserMapping {
  readonly codecs: StoreCodecs
  readonly userFields: UserFields
}

/** Returns the names of all fields that a user is read from. */
export function allUserFields({ userFields }: UserMapping): readonly string[] {
  return [...Object.keys(recordFields.User), ...Object.keys(userFields)]
}

/**
 * Encodes the defined fields of a user without the id. An empty address becomes NULL, which the unique index allows
 * many times.
 */
export function userToRow(
  { codecs, userFields }: UserMapping,
  { id: _, ...user }: Partial<AdapterUser>,
): Record<string, unknown> {
  return {
    ...userFieldsToRow(codecs, userFields, user),
    ...encodeRecord(codecs, "User", user.email === "" ? { ...user, email: null } : user),
  }
}

/** Reads a user. Other libraries may have stored an empty address instead of NULL. */
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
