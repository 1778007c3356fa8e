import type { EntityProperty } from "@mikro-orm/core"
import { KeyType } from "./entities/key-types.ts"
import { LongTextType } from "./entities/long-text-type.ts"

const loneSurrogate = /\p{Surrogate}/u
/** What a TEXT column of MySQL and MariaDB holds, in bytes. */
const maxTextBytes = 65_535

/**
 * Checks a value before it is written, so that no database has the chance to cut it or to make another of it.
 * @throws TypeError naming the property
 */
export function assertStorable(entity: string, property: EntityProperty, value: unknown): void {
  const name = `${entity}.${property.name}`
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw new TypeError(`${name} must be a valid Date.`)
  }
  if (typeof value !== "string") {
    if (property.runtimeType === "string") throw new TypeError(`${name} must be text.`)
    return
  }
  const isInvalidKey = property.customType instanceof KeyType && !isLookupText(value)
  if (isInvalidKey || loneSurrogate.test(value)) {
    throw new TypeError(`${name} must be well-formed text${isInvalidKey ? " without NUL" : ""}.`)
  }
  const { length } = property
  if (length !== undefined && [...value].length > length) {
    throw new TypeError(`${name} must have ${length} characters at most.`)
  }
  const mayBeLong = length !== undefined || property.customType instanceof LongTextType
  if (!mayBeLong && Buffer.byteLength(value) > maxTextBytes) {
    throw new TypeError(`${name} must have ${maxTextBytes} bytes at most.`)
  }
}

/**
 * Whether a row can have this name. Databases replace lone surrogates by one and the same character: two names would
 * become one. PostgreSQL breaks off at a NUL. An object would be a condition of MikroORM's, and name many rows.
 */
export function isLookupText(value: unknown): value is string {
  return typeof value === "string" && !loneSurrogate.test(value) && !value.includes("\0")
}
