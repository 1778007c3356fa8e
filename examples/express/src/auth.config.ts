/** Who may sign in, and what the application learns about them. */
import { type AuthConfig, defineConfig } from "@latchkey/core"
import credentials from "@latchkey/express/providers/credentials"
import tenantidp from "@latchkey/express/providers/tenantidp"
import { adapter } from "./database.ts"
import { findByPassword } from "./password-users.ts"
import { renameUser } from "./users.ts"

/** Without a database, a new name is kept in the session. */
const cookieCallbacks: AuthConfig["callbacks"] = {
  jwt({ token, trigger, session }) {
    const name = trigger === "update" ? readName(session) : undefined
    return name ? { ...token, name } : token
  },
}

export const config = defineConfig({
  ...(adapter && { adapter }),
  providers: [
    // Address, id and secret come from the environment: AUTH_TENANTIDP_ISSUER, _ID and _SECRET.
    tenantidp({ name: "Alder ID", tenantId: "riverside" }),
    credentials({
      credentials: {
        email: { label: "E-mail", type: "email" },
        password: { label: "Password", type: "password" },
      },
      authorize: ({ email, password }) => findByPassword(email, password),
    }),
  ],
  pages: { signIn: "/signin" },
  callbacks: {
    ...(!adapter && cookieCallbacks),
    // Everybody who is signed in can read their session: it has no more than the pages show.
    async session({ session, token, user, trigger, newSession }) {
      const renamed = user && trigger === "update" ? readName(newSession) : undefined
      if (renamed) await renameUser(user.id, renamed)
      const { name, email } = session.user
      const id = user?.id ?? token?.sub
      return { expires: session.expires, user: { id, name: renamed ?? name, email } }
    },
  },
})

/** What the browser sends is not trusted: it may change the name, and nothing else. */
function readName(data: unknown): string | undefined {
  const { name } = Object(data)
  return typeof name === "string" && name.length >= 1 && name.length <= 60 ? name : undefined
}
