import type { MikroORM } from "@mikro-orm/core"
import { MikroOrmError } from "./errors.ts"

/** Additional methods of MikroORM's SQL connections. */
interface SqlConnection {
  execute(sql: string): Promise<unknown>
}

const detail =
  "sql_mode has NO_BACKSLASH_ESCAPES, with which values end their own quotes; take it out"

/**
 * Creates a check that runs once, before the first statement. MikroORM writes values into statements, for MySQL and
 * MariaDB with backslashes before quotes. If the server does not treat backslashes as escapes, a cookie could inject
 * SQL.
 */
export function createSqlModeCheck(orm: MikroORM): (operation: string) => Promise<void> {
  let checked = false
  return async (operation) => {
    checked ||= orm.em.getPlatform().getDefaultCharset() !== "utf8mb4"
    if (checked) return
    const connection = orm.em.getConnection("write")
    if (!canExecuteSql(connection)) return
    const modes = JSON.stringify(await connection.execute("select @@sql_mode as mode"))
    if (modes.includes("NO_BACKSLASH_ESCAPES")) {
      throw new MikroOrmError("failed", { operation, detail })
    }
    checked = true
  }
}

function canExecuteSql<Connection extends object>(
  connection: Connection,
): connection is Connection & SqlConnection {
  return "execute" in connection
}
