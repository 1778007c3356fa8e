import type { AdapterUser } from "@latchkey/core/adapters"
import type { UserFieldKind, UserFields } from "../options.ts"
import { toKeyText } from "../values/encode-value.ts"
import {
  type FieldKinds,
  parseRecord,
  readDateOrNull,
  readText,
  readTextOrNull,
  type StoredRecord,
  toStoredRecord,
} from "../values/stored-record.ts"

const fields = {
  name: "text",
  email: "key",
  emailVerified: "date",
  image: "text",
} as const satisfies FieldKinds

/** The given fields of a user. What is neither of the contract nor declared is left behind. */
export function userToRecord(userFields: UserFields, user: Partial<AdapterUser>): StoredRecord {
  const record = toStoredRecord("User", { ...userFields, ...fields }, user)
  return user.id === undefined ? record : { ...record, id: toKeyText(user.id, "User.id") }
}

/** The address of a user; empty for people without one. */
export function readAddress(record: StoredRecord): string {
  return readTextOrNull(record, "email") ?? ""
}

/** Reads a user. */
export function userFromRecord(userFields: UserFields, record: StoredRecord): AdapterUser {
  return {
    ...readUserFields(userFields, record),
    id: readText(record, "id"),
    name: readTextOrNull(record, "name"),
    email: readAddress(record),
    emailVerified: readDateOrNull(record, "emailVerified"),
    image: readTextOrNull(record, "image"),
  }
}

/** Reads a user from what Redis holds. */
export function userFromText(userFields: UserFields, record: string): AdapterUser {
  return userFromRecord(userFields, parseRecord(record))
}

function readUserFields(userFields: UserFields, record: StoredRecord): Record<string, unknown> {
  const user: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(userFields))
    user[name] = readUserField(record, name, kind)
  return user
}

function readUserField(record: StoredRecord, name: string, kind: UserFieldKind): unknown {
  return kind === "date" ? readDateOrNull(record, name) : (record[name] ?? null)
}
