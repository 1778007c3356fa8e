import {
  readText,
  readTextOrNull,
  recordFields,
  type UserFieldKind,
  type UserFields,
} from "@latchkey/adapter-kit"
import type { AdapterUser } from "@latchkey/core/adapters"
import { parseRecord, readDateOrNull, type StoredRecord, toStoredRecord } from "../stored-record.ts"

/** Encodes the defined fields of a user. Undeclared fields are left out. */
export function userToRecord(userFields: UserFields, user: Partial<AdapterUser>): StoredRecord {
  return toStoredRecord("User", { ...userFields, ...recordFields.User }, user)
}

/** Returns the address of a user; empty if there is none. */
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

/** Parses and reads a user. */
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
