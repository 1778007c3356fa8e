import { type EntityProperty, type Platform, TextType } from "@mikro-orm/core"

/** Text of any length. Ordinary text columns of MySQL and MariaDB end at 64 KiB. */
export class LongTextType extends TextType {
  override getColumnType(property: EntityProperty, platform: Platform): string {
    const isMysql = platform.getDefaultCharset() === "utf8mb4"
    return isMysql ? "mediumtext" : super.getColumnType(property, platform)
  }
}
