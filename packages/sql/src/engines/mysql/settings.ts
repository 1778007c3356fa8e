/** Settings of connections that would lose what is stored. */
import type { Result, Statement } from "../../engine.ts"
import { SqlError } from "../../errors.ts"

const statement: Statement = {
  sql: "select @@character_set_client as charset, @@foreign_key_checks as foreignKeys",
  parameters: [],
  returnsRows: true,
}

/** Looks at the settings of a connection, once, before the first statement. */
export function connectionCheck(
  execute: (statement: Statement) => Promise<Result>,
): () => Promise<void> {
  let checked = false
  return async () => {
    if (checked) return
    const { rows } = await execute(statement)
    const [settings] = rows
    if (settings?.["charset"] !== "utf8mb4") {
      const detail = `the character set of connections is ${String(settings?.["charset"])}; set it to utf8mb4`
      throw new SqlError("failed", { operation: "open", detail })
    }
    if (Number(settings["foreignKeys"]) !== 1) {
      throw new SqlError("foreign-keys-off", { operation: "open" })
    }
    checked = true
  }
}
