/** The configuration of Latchkey: who can sign in, and what sessions contain. */
import { type AuthConfig, defineConfig } from "@latchkey/core"
import passkey from "@latchkey/express/passkeys"
import credentials from "@latchkey/express/providers/credentials"
import tenantidp from "@latchkey/express/providers/tenantidp"
import { passkeys, recoveryCodes, totp } from "@latchkey/express/second-factor"
import { adapter } from "./database.ts"
import { getDeviceLabel } from "./device-label.ts"
import { findByPassword } from "./password-users.ts"
import { renameUser } from "./users.ts"

/** Without a database, the session cookie stores a new name. */
const cookieCallbacks: AuthConfig["callbacks"] = {
  jwt({ token, trigger, session }) {
    const name = trigger === "update" ? readName(session) : undefined
    return name ? { ...token, name } : token
  },
}

export const config = defineConfig({
  ...(adapter && { adapter }),
  // With a database, users see where they are signed in, and can end each session.
  session: { records: adapter ? { deviceLabel: getDeviceLabel } : false },
  // The fingerprint, face or PIN that unlocks a passkey is a factor of its own.
  ...(adapter && {
    secondFactor: { methods: [passkeys(), totp(), recoveryCodes()], accept: { passkey: true } },
  }),
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
    ...(adapter ? [passkey()] : []),
  ],
  pages: { signIn: "/signin" },
  callbacks: {
    ...(!adapter && cookieCallbacks),
    // Users can read their own session, so it contains only what the pages show.
    async session({ session, token, user, trigger, newSession }) {
      const renamed = user && trigger === "update" ? readName(newSession) : undefined
      if (renamed) await renameUser(user.id, renamed)
      const { name, email } = session.user
      const id = user?.id ?? token?.sub
      return { expires: session.expires, user: { id, name: renamed ?? name, email } }
    },
  },
})

/** Returns the name in data from the browser, which may change nothing else. */
function readName(data: unknown): string | undefined {
  const { name } = Object(data)
  return typeof name === "string" && name.length >= 1 && name.length <= 60 ? name : undefined
}
