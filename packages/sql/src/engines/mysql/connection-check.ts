/** Checks for settings of connections that would lose stored data, or allow SQL injection. */
import type { Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"

const settingsQuery: Statement = {
  sql:
    "select @@character_set_client as charset, @@foreign_key_checks as foreignKeys," +
    " @@autocommit as autocommit, @@sql_mode as mode",
  parameters: [],
  returnsRows: true,
}

/**
 * Checks the settings of a connection once, before the first statement.
 * @param quotes whether the driver writes values into statements, with backslashes before quotes
 */
export function createConnectionCheck(
  execute: (statement: Statement) => Promise<StatementResult>,
  { quotes }: { readonly quotes: boolean },
): () => Promise<void> {
  let checked = false
  return async () => {
    if (checked) return
    const { rows } = await execute(settingsQuery)
    const [settings] = rows
    if (settings?.["charset"] !== "utf8mb4") {
      const detail = `the character set of connections is ${String(settings?.["charset"])}; set it to utf8mb4`
      throw new SqlError("failed", { operation: "open", detail })
    }
    if (Number(settings["foreignKeys"]) !== 1) {
      throw new SqlError("foreign-keys-off", { operation: "open" })
    }
    if (Number(settings["autocommit"]) !== 1) {
      const detail = "statements are not committed by themselves; set autocommit to 1"
      throw new SqlError("failed", { operation: "open", detail })
    }
    if (quotes && String(settings["mode"]).includes("NO_BACKSLASH_ESCAPES")) {
      const detail =
        "sql_mode has NO_BACKSLASH_ESCAPES, with which values end their own quotes; take it out"
      throw new SqlError("failed", { operation: "open", detail })
    }
    checked = true
  }
}
