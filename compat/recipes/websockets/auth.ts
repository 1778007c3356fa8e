import { defineConfig } from "@latchkey/core"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { password } from "../password.ts"

/** Sessions in cookies that the database knows, so that a sign-out ends them everywhere. */
export const config = defineConfig({
  providers: [password],
  adapter: SqlAdapter(openSqlite(":memory:"), { migrate: true, sessionRecords: true }),
  session: { strategy: "jwt", records: true },
})
