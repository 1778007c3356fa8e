/** Configurations modelled on public applications that augment the types of Auth.js. */
import { type AuthConfig, createAuth, customFetch, type InferSession } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import gitHub from "@latchkey/core/providers/github"
import google from "@latchkey/core/providers/google"
import keycloak from "@latchkey/core/providers/keycloak"
import spotify from "@latchkey/core/providers/spotify"
import type { Session, User } from "@latchkey/core/types"
import { getSession } from "@latchkey/express"
import type { Request } from "express"
import type { Role } from "./augmentation.js"
import { holds, type Same } from "./expect.js"

declare const adapter: Adapter
declare function findUser(email: string): Promise<{ id: string; hash: string; role: Role } | null>
declare function verifyPassword(hash: string, password: string): Promise<boolean>

class UnknownUser extends CredentialsSignin {
  override code = "unknown-user"
}

/** An internal tool: credentials, and a role in the token. */
export const credentialsWithRoles: AuthConfig = {
  session: { strategy: "jwt", maxAge: 24 * 60 * 60 },
  pages: { signIn: "/login", error: "/login" },
  providers: [
    credentials({
      name: "credentials",
      credentials: {
        email: { label: "Email", type: "email", placeholder: "ada@example.com" },
        password: { label: "Password", type: "password" },
      },
      async authorize(input) {
        const user = await findUser(input.email as string)
        if (!user) throw new UnknownUser()
        if (!(await verifyPassword(user.hash, String(input.password)))) return null
        return { id: user.id, email: input.email as string, role: user.role }
      },
    }),
  ],
  callbacks: {
    async jwt({ token, user, trigger, session }) {
      if (user) {
        token.id = user.id
        token.role = user.role ?? "member"
      }
      if (trigger === "update" && session?.name) token.name = session.name
      return token
    },
    async session({ session, token }) {
      session.user.id = token.id
      session.user.role = token.role
      return session
    },
  },
}

/** A community site: an adapter, and the user's id in the session. */
export const databaseSessions = {
  adapter,
  providers: [gitHub, google({ allowDangerousEmailAccountLinking: true })],
  callbacks: {
    session({ session, user }) {
      session.user.id = user.id
      session.user.role = user.role ?? "member"
      return { ...session, customer: user.stripeCustomerId ?? null }
    },
    signIn: async ({ user, profile, account }) =>
      account?.provider !== "google" || Boolean(user.email && profile?.email_verified),
  },
  events: {
    createUser: async ({ user }) => console.log(user.id, user.email),
    linkAccount: ({ account, user }) => console.log(account.provider, user.id),
  },
} satisfies AuthConfig

export async function customerOf(req: Request): Promise<string | null | undefined> {
  const session = await getSession(req, databaseSessions)
  holds<Same<NonNullable<typeof session>["user"]["id"], string>>()
  return session?.customer
}

/** A music player: refreshes the access token in the `jwt` callback. */
export const refreshedToken: AuthConfig = {
  providers: [
    spotify({
      clientId: process.env["SPOTIFY_ID"],
      clientSecret: process.env["SPOTIFY_SECRET"],
      authorization: { params: { scope: "user-read-email playlist-read-private" } },
      profile: (profile) => ({
        id: profile.id,
        name: profile.display_name,
        email: profile.email,
        image: profile.images[0]?.url ?? null,
      }),
    }),
  ],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        return {
          ...token,
          accessToken: account.access_token ?? "",
          refreshToken: account.refresh_token ?? "",
          expiresAt: account.expires_at ?? 0,
        }
      }
      if (Date.now() < (token.expiresAt ?? 0) * 1000) return token
      try {
        const response = await fetch("https://accounts.spotify.com/api/token", { method: "POST" })
        const tokens = (await response.json()) as { access_token: string; expires_in: number }
        token.accessToken = tokens.access_token
        token.expiresAt = Math.floor(Date.now() / 1000 + tokens.expires_in)
      } catch {
        token.error = "RefreshTokenError"
      }
      return token
    },
    session({ session, token }) {
      if (token.error) session.error = token.error
      if (token.accessToken) session.accessToken = token.accessToken
      return session
    },
  },
}

/** A company portal: roles of Keycloak's own claims. */
export const keycloakRoles = {
  providers: [
    keycloak({
      issuer: "https://sso.example.com/realms/main",
      [customFetch]: (input, init) => fetch(input, init),
      profile(profile) {
        const isAdmin =
          profile.realm_access?.roles.includes("admin") || profile["groups"]?.length > 3
        return {
          id: profile.sub,
          name: profile.name ?? profile.preferred_username,
          email: profile.email.toLowerCase(),
          image: profile.picture,
          role: isAdmin ? "admin" : "member",
        }
      },
    }),
  ],
  callbacks: {
    jwt({ token, user, account, profile }) {
      if (account?.id_token) token["idToken"] = account.id_token
      if (profile?.sub) token.id = profile.sub
      if (user?.role) token.role = user.role
      return token
    },
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, id: token.id, role: token.role },
    }),
  },
} satisfies AuthConfig

export const inferred = createAuth({
  providers: [gitHub],
  callbacks: {
    session({ session, token }) {
      session.user.role = token.role
      return session
    },
  },
})
holds<Same<InferSession<typeof inferred>["user"]["role"], Role>>()

export const roleOf = (session: Session | null, user: User): Role | undefined =>
  session?.user.role ?? user.role
