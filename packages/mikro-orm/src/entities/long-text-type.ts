import { type EntityProperty, type Platform, TextType } from "@mikro-orm/core"

/** Text of any length. In MySQL and MariaDB, a usual text column ends one byte before 64 KiB. */
export class LongTextType extends TextType {
  override getColumnType(property: EntityProperty, platform: Platform): string {
    const isMysql = platform.getDefaultCharset() === "utf8mb4"
    return isMysql ? "mediumtext" : super.getColumnType(property, platform)
  }
}
