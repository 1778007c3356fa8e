import type { UserFieldKind, UserFields } from "@latchkey/adapter-kit"
import type { Codecs, Row } from "../engine.ts"
import { encodeValue } from "./encode-value.ts"
import type { StoreCodecs } from "./id-codecs.ts"
import { decodeJson } from "./read-column.ts"

/** Encodes the declared additional fields of a user. */
export function userFieldsToRow(
  codecs: StoreCodecs,
  fields: UserFields,
  user: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value = user[name]
    if (value !== undefined) row[name] = encodeValue(codecs, `User.${name}`, kind, value)
  }
  return row
}

/** Reads the declared additional fields of a user. */
export function userFieldsFromRow(
  codecs: Codecs,
  fields: UserFields,
  row: Row,
): Record<string, unknown> {
  const user: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value = row[name] ?? null
    user[name] = value === null ? null : decoders[kind](value, codecs)
  }
  return user
}

const decoders: Readonly<Record<UserFieldKind, (value: unknown, codecs: Codecs) => unknown>> = {
  boolean: (value, codecs) => codecs.boolean.decode(value),
  date: (value, codecs) => codecs.date.decode(value),
  json: decodeJson,
  number: Number,
  text: String,
}
