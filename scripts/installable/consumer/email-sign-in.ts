/** Signs in with an e-mail link, sent by the nodemailer that the application has installed. */
import assert from "node:assert/strict"
import { createAuth } from "@latchkey/core"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createTestBrowser } from "@latchkey/testing/browser"
import { createMailbox } from "@latchkey/testing/mailbox"

const database = openSqlite(":memory:")
await migrate(database)
const box = await createMailbox()
const auth = createAuth({
  providers: [nodemailer({ server: box.server, from: "door@app.example" })],
  adapter: SqlAdapter(database),
  secret: process.env["AUTH_SECRET"] ?? "",
  trustHost: true,
})

const ada = createTestBrowser(auth.handle)
await ada.signIn("nodemailer", { email: "ada@example.com" })
const mail = await box.waitForMail()
assert.deepEqual(mail.to, ["ada@example.com"])
await ada.open(mail.links[0] ?? "")
assert.equal((await ada.getSession())?.user?.email, "ada@example.com")
await box.close()
