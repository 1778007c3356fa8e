import { type EntityProperty, type Platform, StringType } from "@mikro-orm/core"

/**
 * Text that rows are found by. MySQL and MariaDB would treat `é` and `e`, `A` and `a`, or `a ` and `a` as equal, and
 * thereby confuse accounts. There, the column gets a collation that compares exactly.
 */
export class KeyType extends StringType {
  override getColumnType(property: EntityProperty, platform: Platform): string {
    // No other method sees the property together with its platform before tables are created.
    if (platform.getDefaultCharset() === "utf8mb4") property.collation ??= exactCollation(platform)
    return super.getColumnType(property, platform)
  }
}

/** An e-mail address. An empty one is stored as NULL, so that a unique index applies to all others. */
export class EmailType extends KeyType {
  override convertToDatabaseValue(value: string | null | undefined): string | null | undefined {
    return super.convertToDatabaseValue(value === "" ? null : value)
  }
}

/** Returns the binary collation that counts trailing spaces; the two servers name it differently. */
function exactCollation(platform: Platform): string {
  const isMariaDb = platform.constructor.name === "MariaDbPlatform"
  return isMariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin"
}
