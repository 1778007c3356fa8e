/**
 * A process of its own that keeps access tokens fresh. It says `ready`; for each token that it is sent, it answers with
 * what came of 25 requests at once.
 */
import { rotateAccessToken, type TokenRotationOptions } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

const [file = "", options = "{}"] = process.argv.slice(2)
const rotateOptions: TokenRotationOptions = {
  ...JSON.parse(options),
  leases: SqlAdapter(openSqlite(file)),
}

process.on("message", async (token: JWT) => {
  const requests = Array.from({ length: 25 }, () => rotateAccessToken({ token }, rotateOptions))
  process.send?.(await Promise.all(requests))
})
process.send?.("ready")
