/** A configuration whose e-mails carry codes, and the codes that were sent. */

import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { EmailConfig } from "@latchkey/sveltekit/providers"
import { createConfig } from "./config.ts"

export async function createCodeConfig() {
  const database = openSqlite(":memory:")
  await migrate(database)
  const codes: string[] = []
  const email: EmailConfig = {
    id: "email",
    name: "Email",
    type: "email",
    sendsCode: true,
    sendVerificationRequest: ({ code = "" }) => void codes.push(code),
  }
  const config = createConfig({ adapter: SqlAdapter(database), providers: [email] })
  return { config, codes }
}

/** Returns another code, as people write it. */
export function changeCode(code = ""): string {
  const digits = `${(Number(code) + 1) % 1_000_000}`.padStart(6, "0")
  return `${digits.slice(0, 3)} ${digits.slice(3)}`
}
