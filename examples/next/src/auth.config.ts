/** The configuration of Latchkey: who can sign in, and what sessions contain. */
import { defineConfig } from "@latchkey/next"
import passkey from "@latchkey/next/passkeys"
import credentials from "@latchkey/next/providers/credentials"
import tenantidp from "@latchkey/next/providers/tenantidp"
import { passkeys, recoveryCodes, totp } from "@latchkey/next/second-factor"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { getDeviceLabel } from "./device-label.ts"
import { findByPassword } from "./password-users.ts"

export const config = defineConfig({
  adapter: SqlAdapter(openSqlite("app.db"), {
    migrate: true,
    sessionRecords: true,
    secondFactor: true,
  }),
  // Sessions are cookies, and the database has a list of them, so that users can end each one.
  session: { strategy: "jwt", records: { deviceLabel: getDeviceLabel } },
  // The fingerprint, face or PIN that unlocks a passkey is a factor of its own.
  secondFactor: { methods: [passkeys(), totp(), recoveryCodes()], accept: { passkey: true } },
  providers: [
    // Issuer, client id and secret come from AUTH_TENANTIDP_ISSUER, AUTH_TENANTIDP_ID and AUTH_TENANTIDP_SECRET.
    tenantidp({ name: "Alder ID", tenantId: "riverside" }),
    credentials({
      credentials: {
        email: { label: "E-mail", type: "email" },
        password: { label: "Password", type: "password" },
      },
      authorize: ({ email, password }) => findByPassword(email, password),
    }),
    passkey(),
  ],
  pages: { signIn: "/signin" },
  callbacks: {
    jwt({ token, trigger, session }) {
      if (trigger !== "update") return token
      // The data comes from the browser: it may change the name, and nothing else.
      const name: unknown = session?.name
      const isName = typeof name === "string" && name.length >= 1 && name.length <= 60
      return isName ? { ...token, name } : token
    },
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
})
