import {
  invalidValueError,
  isDate,
  isStorableText,
  parseText,
  parseValue,
} from "@latchkey/adapter-kit"
import type { EntityProperty } from "@mikro-orm/core"
import { KeyType } from "./entities/key-types.ts"
import { LongTextType } from "./entities/long-text-type.ts"

/** Capacity of a TEXT column of MySQL and MariaDB, in bytes. */
const maxTextBytes = 65_535

/**
 * Checks a value before it is written, so that no database truncates or changes it.
 * @throws TypeError naming the property
 */
export function assertStorable(entity: string, property: EntityProperty, value: unknown): void {
  const name = `${entity}.${property.name}`
  if (isDate(value)) parseValue("date", value, name)
  if (typeof value !== "string") {
    if (property.runtimeType === "string") throw invalidValueError(name, "text")
    return
  }
  parseText(value, name, { supportsNul: !(property.customType instanceof KeyType) })
  const { length } = property
  if (length !== undefined && [...value].length > length) {
    throw invalidValueError(name, `text of ${length} characters at most`)
  }
  const mayBeLong = length !== undefined || property.customType instanceof LongTextType
  if (!mayBeLong && Buffer.byteLength(value) > maxTextBytes) {
    throw invalidValueError(name, `text of ${maxTextBytes} bytes at most`)
  }
}

/** Whether a row can be found by a value. MikroORM would take an object for a condition that matches many rows. */
export function isLookupText(value: unknown): value is string {
  return typeof value === "string" && isStorableText(value, { supportsNul: false })
}
