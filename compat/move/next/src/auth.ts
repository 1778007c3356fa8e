import NextAuth, { type DefaultSession } from "next-auth"
import Credentials from "next-auth/providers/credentials"
import authConfig from "./auth.config"

declare module "next-auth" {
  interface Session {
    user: { role?: string } & DefaultSession["user"]
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    role?: string
  }
}

export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({
  ...authConfig,
  trustHost: true,
  session: { strategy: "jwt" },
  providers: [
    ...authConfig.providers,
    Credentials({
      credentials: { password: { type: "password" } },
      authorize: async ({ password }) => (password === "open sesame" ? { name: "Ann" } : null),
    }),
  ],
  callbacks: {
    ...authConfig.callbacks,
    jwt({ token, user }) {
      if (user) token.role = "reader"
      return token
    },
    session({ session, token }) {
      session.user.role = token.role
      return session
    },
  },
})
