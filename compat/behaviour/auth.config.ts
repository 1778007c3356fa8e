/**
 * Replaces the configuration of each example when its behaviour is tested: all kinds of sign-in, and options that
 * environment variables set for each run.
 */
import type { AuthConfig } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import passkey from "@latchkey/core/providers/passkey"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

const {
  PROBE_DATABASE: database = ":memory:",
  PROBE_STRATEGY: strategy = "jwt",
  PROBE_BASE_PATH: basePath,
  PROBE_UPDATE_AGE: updateAge = "86400",
  PROBE_SOCIAL: social = "http://127.0.0.1:1",
  PROBE_MAIL_PORT: mailPort = "25",
  PROBE_VERIFY_REQUEST: verifyRequest,
  PROBE_RECORDS: hasRecords,
} = process.env

class LockedOut extends CredentialsSignin {
  override code = "locked"
}

export const config: AuthConfig = {
  adapter: SqlAdapter(openSqlite(database), { sessionRecords: Boolean(hasRecords) }),
  session: {
    strategy: strategy === "database" ? "database" : "jwt",
    updateAge: Number(updateAge),
    ...(hasRecords && { records: { pollInterval: 0 } }),
  },
  ...(basePath && { basePath }),
  trustedOrigins: ["http://127.0.0.1:5173"],
  providers: [
    tenantidp({
      name: "Alder ID",
      tenantId: "riverside",
      ...(hasRecords && { frontChannelLogout: true }),
    }),
    socialidp({
      name: "Plaza",
      authorization: { url: `${social}/authorize` },
      token: `${social}/token`,
      userinfo: `${social}/info?format=json`,
    }),
    nodemailer({
      name: "an e-mail link",
      server: { host: "127.0.0.1", port: Number(mailPort), secure: false, ignoreTLS: true },
      from: "door@app.example",
    }),
    credentials({
      name: "a password",
      credentials: {
        email: { label: "E-mail", type: "email" },
        password: { label: "Password", type: "password" },
      },
      authorize: ({ email, password }) =>
        password === "correct horse battery staple" ? createUser(String(email)) : null,
    }),
    credentials({
      id: "pin",
      name: "a PIN",
      credentials: { pin: { label: "PIN" } },
      authorize({ pin }) {
        if (pin === "locked") throw new LockedOut()
        return pin === "4711" ? createUser("pia@example.com") : null
      },
    }),
    passkey(),
  ],
  pages: { ...(verifyRequest && { verifyRequest }) },
  experimental: { enableWebAuthn: true },
  callbacks: {
    jwt({ token, user, trigger, session }) {
      if (trigger === "update") return { ...token, name: String(session?.name ?? token.name) }
      // Random text cannot be compressed, so the session needs several cookies.
      return user?.email?.startsWith("big") ? { ...token, noise: createRandomText(6000) } : token
    },
    session: ({ session, token, newSession, trigger }) => {
      const renamed = trigger === "update" && !token ? { name: String(newSession?.name) } : {}
      return { ...session, user: { ...session.user, ...renamed }, noise: token?.["noise"] }
    },
  },
}

/** A user whom the test added to the database. The email address is the id. */
function createUser(email: string) {
  const [name = ""] = email.split("@")
  return { id: email, name: name.charAt(0).toUpperCase() + name.slice(1), email }
}

function createRandomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return [...bytes].map((byte) => (byte % 36).toString(36)).join("")
}
