import { type EntityProperty, type Platform, StringType } from "@mikro-orm/core"

/**
 * Text that rows are found by. MySQL and MariaDB would take `é` for `e`, `A` for `a` and `a ` for `a` in it, one
 * person's account for another's: there its column gets a collation that compares exactly.
 */
export class KeyType extends StringType {
  override getColumnType(property: EntityProperty, platform: Platform): string {
    // The only place where a property meets its platform before tables are made.
    if (platform.getDefaultCharset() === "utf8mb4") property.collation ??= exactCollation(platform)
    return super.getColumnType(property, platform)
  }
}

/** An address. None is NULL in the database, so that an index can make all others unique. */
export class EmailType extends KeyType {
  override convertToDatabaseValue(value: string | null | undefined): string | null | undefined {
    return super.convertToDatabaseValue(value === "" ? null : value)
  }
}

/** The two servers have different names for a binary collation in which spaces at the end count. */
function exactCollation(platform: Platform): string {
  const isMariaDb = platform.constructor.name === "MariaDbPlatform"
  return isMariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin"
}
