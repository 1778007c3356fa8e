import type { DefaultSession, ExpressAuthConfig } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import Keycloak, { type KeycloakProfile } from "@auth/express/providers/keycloak"

declare module "@auth/core/types" {
  interface Session {
    user: { role?: string } & DefaultSession["user"]
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: string
  }
}

export const authConfig: ExpressAuthConfig = {
  trustHost: true,
  providers: [
    Keycloak({ profile: ({ sub, name }: KeycloakProfile) => ({ id: sub, name }) }),
    Credentials({
      credentials: { password: { type: "password" } },
      authorize: ({ password }) => (password === "open sesame" ? { name: "Ann" } : null),
    }),
  ],
  callbacks: {
    jwt({ token, account }) {
      if (account) token.role = account.provider === "keycloak" ? "staff" : "guest"
      return token
    },
    session({ session, token }) {
      if (token.role) session.user.role = token.role
      return session
    },
  },
  logger: {
    error: (error: Error) => console.error(`logged: ${error.name}`),
  },
}
