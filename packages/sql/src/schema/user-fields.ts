import type { Codecs, ColumnKind, Row } from "../engine.ts"
import { encodeValue, type KindValues } from "./encode-value.ts"
import type { StoreCodecs } from "./id-codecs.ts"

/** What an additional field of a user may hold. Every field may also be null. */
export type UserFieldKind = Extract<ColumnKind, "boolean" | "date" | "json" | "number" | "text">

/** Additional fields of users, each a column of its own, by name. */
export type UserFields = Readonly<Record<string, UserFieldKind>>

/** Takes the declared fields out of a user; all others are left behind. */
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

/** Reads the declared fields of a user. */
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

const decoders: { [Kind in UserFieldKind]: (value: unknown, codecs: Codecs) => KindValues[Kind] } =
  {
    boolean: (value, codecs) => codecs.boolean.decode(value),
    date: (value, codecs) => codecs.date.decode(value),
    json: (value, codecs) => codecs.json.decode(value),
    number: (value) => Number(value),
    text: (value) => String(value),
  }
