/** The site whose requests and responses are reported: with every way to sign in, session records and a second factor. */
import { createAuth } from "@latchkey/core"
import type { EmailConfig } from "@latchkey/core/providers"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider } from "@latchkey/testing/provider"

export type RecordedSite = Awaited<ReturnType<typeof createRecordedSite>>

export async function createRecordedSite() {
  const database = openSqlite(":memory:")
  database.exec(migrationSql("sqlite", { sessionRecords: true, secondFactor: true }))
  const adapter = SqlAdapter(database, { sessionRecords: true, secondFactor: true })
  const provider = await createScriptedProvider({ id: "provider" })
  const formProvider = await createScriptedProvider({
    id: "form-provider",
    issuer: "https://other-idp.example",
  })
  const limit = { max: 5, window: 600 }
  const trustedOrigin = "https://shop.app.example"
  const email = createEmailProvider()
  const passwords = credentials({
    credentials: { email: { label: "Email" }, password: { label: "Password", type: "password" } },
    authorize: ({ email, password }) =>
      password === "sesame" ? (adapter.getUserByEmail?.(String(email)) ?? null) : null,
  })
  const auth = createAuth({
    secret: "the secret of a site that is recorded",
    trustHost: true,
    adapter,
    providers: [
      { ...provider.asOidc(), frontChannelLogout: true },
      passwords,
      email.provider,
      passkey(),
      formProvider.asOidc({ authorization: { params: { response_mode: "form_post" } } }),
    ],
    trustedOrigins: [trustedOrigin],
    attemptLimits: { credentials: { identifier: limit }, "second-factor": { identifier: limit } },
    experimental: { enableWebAuthn: true },
    session: { records: true },
    secondFactor: { methods: [totp(), recoveryCodes()] },
    logger: { error: () => undefined, warn: () => undefined },
  })
  return { auth, adapter, provider, formProvider, trustedOrigin, email }
}

/** A provider that keeps what it would send. */
function createEmailProvider() {
  let sent = { url: "", code: "" }
  const provider: EmailConfig = {
    id: "email",
    type: "email",
    name: "Email",
    from: "site@app.example",
    sendsCode: true,
    sendVerificationRequest: ({ url, code = "" }) => {
      sent = { url, code }
    },
  }
  return { provider, getSent: () => sent }
}
