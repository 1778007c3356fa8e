import { D1Adapter, up } from "@auth/d1-adapter"
import { Miniflare } from "miniflare"
import type { AdapterSetup } from "../adapter-setup.ts"
import { createSqlRows, parseDates } from "./sql-rows.ts"

const tableNames = {
  user: "users",
  account: "accounts",
  session: "sessions",
  verificationToken: "verification_tokens",
}

/** The D1 of Cloudflare's own runtime, which runs on this machine. */
export const d1Setup: AdapterSetup = {
  adapter: "@auth/d1-adapter",
  database: "D1 (workerd)",
  knownFailuresOnly: true,
  knownFailures: {
    "createUser rejects an address that is taken": "nothing in its tables makes an address unique",
    "linkAccount rejects a linked account, and does not change it":
      "nothing in its tables makes an account unique",
    "of 64 concurrent uses of a verification token, one succeeds":
      "a link that is opened several times at the same moment signs in each time",
  },
  async openDatabase() {
    const runtime = new Miniflare({
      cf: false, // does not look up where this machine is
      modules: true,
      script: "export default {}",
      d1Databases: ["DB"],
      compatibilityDate: "2026-01-01",
    })
    const d1 = await runtime.getD1Database("DB")
    await up(d1)
    const runQuery = async (sql: string, parameters: readonly unknown[] = []) =>
      (
        await d1
          .prepare(sql)
          .bind(...parameters)
          .all<object>()
      ).results
    const normalizeRow = (row: object) => parseDates(row, (value) => new Date(String(value)))
    return {
      adapter: D1Adapter(d1),
      ...createSqlRows(runQuery, tableNames, () => "?", normalizeRow),
      [Symbol.asyncDispose]: () => runtime.dispose(),
    }
  },
}
