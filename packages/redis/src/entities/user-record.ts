import type { AdapterUser } from "@latchkey/core/adapters"
import type { UserFieldKind, UserFields } from "../options.ts"
import {
  dateOrNull,
  type Fields,
  fieldsOf,
  read,
  type Stored,
  text,
  textOrNull,
} from "../values/record.ts"
import { key } from "../values/stored.ts"

const fields = {
  name: "text",
  email: "key",
  emailVerified: "date",
  image: "text",
} as const satisfies Fields

/** The given fields of a user. What is neither of the contract nor declared is left behind. */
export function userToRecord(userFields: UserFields, user: Partial<AdapterUser>): Stored {
  const record = fieldsOf("User", { ...userFields, ...fields }, user)
  return user.id === undefined ? record : { ...record, id: key(user.id, "User.id") }
}

/** The address of a user; empty for people without one. */
export function addressOf(record: Stored): string {
  return textOrNull(record, "email") ?? ""
}

/** Reads a user. */
export function userFromRecord(userFields: UserFields, record: Stored): AdapterUser {
  return {
    ...declaredFields(userFields, record),
    id: text(record, "id"),
    name: textOrNull(record, "name"),
    email: addressOf(record),
    emailVerified: dateOrNull(record, "emailVerified"),
    image: textOrNull(record, "image"),
  }
}

/** Reads a user from what Redis holds. */
export function userFromText(userFields: UserFields, record: string): AdapterUser {
  return userFromRecord(userFields, read(record))
}

function declaredFields(userFields: UserFields, record: Stored): Record<string, unknown> {
  const user: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(userFields)) user[name] = fieldOf(record, name, kind)
  return user
}

function fieldOf(record: Stored, name: string, kind: UserFieldKind): unknown {
  return kind === "date" ? dateOrNull(record, name) : (record[name] ?? null)
}
