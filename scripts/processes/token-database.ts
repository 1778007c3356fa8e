/** A database with accounts that hold tokens. */
import type { Adapter } from "@latchkey/core/adapters"
import { RedisAdapter } from "@latchkey/redis"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { Pool } from "pg"
import { createClient } from "redis"

export interface TokenDatabase {
  readonly adapter: Required<
    Pick<Adapter, "createUserWithAccount" | "listAccounts" | "updateAccount">
  > &
    Adapter
  close(): Promise<void>
}

/** Opens a database by its URL. The tables of a new one are created. */
export async function openTokenDatabase(url: string, isNew = false): Promise<TokenDatabase> {
  if (url.startsWith("redis:")) {
    const client = await createClient({ url }).connect()
    return { adapter: RedisAdapter(client), close: async () => client.destroy() }
  }
  const pool = new Pool({ connectionString: url, max: 8 })
  pool.on("error", () => undefined)
  if (isNew) await migrate(pool)
  return { adapter: SqlAdapter(pool), close: () => pool.end() }
}
