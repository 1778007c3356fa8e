/** Configurations modelled on public applications that use the types of Auth.js as they are. */
import { type AuthConfig, type InferSession, skipCSRFCheck } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { OAuthConfig, OAuthUserConfig, OIDCConfig, Provider } from "@latchkey/core/providers"
import apple from "@latchkey/core/providers/apple"
import auth0 from "@latchkey/core/providers/auth0"
import credentials from "@latchkey/core/providers/credentials"
import discord, { type DiscordProfile } from "@latchkey/core/providers/discord"
import facebook from "@latchkey/core/providers/facebook"
import gitHub, { type GitHubProfile } from "@latchkey/core/providers/github"
import gitLab from "@latchkey/core/providers/gitlab"
import google, { type GoogleProfile } from "@latchkey/core/providers/google"
import microsoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
import passkey from "@latchkey/core/providers/passkey"
import slack from "@latchkey/core/providers/slack"
import tiktok, { type TiktokProfile } from "@latchkey/core/providers/tiktok"
import twitter from "@latchkey/core/providers/twitter"
import type { Account, DefaultUser, Profile, User } from "@latchkey/core/types"
import { MiddlewareAuth } from "@latchkey/express"
import { holds, type Same } from "./expect.js"

declare const adapter: Adapter
declare const env: Record<string, string>

/** A blog: one provider, and only its author may sign in. */
export const oneAuthor: AuthConfig = {
  providers: [gitHub],
  callbacks: { signIn: ({ profile }) => profile?.login === "ada" },
  trustHost: true,
}

/** A company tool: a domain of Google accounts. */
export const ownDomain: AuthConfig = {
  providers: [
    google({
      clientId: env["GOOGLE_ID"],
      clientSecret: env["GOOGLE_SECRET"],
      authorization: {
        params: { prompt: "consent", access_type: "offline", response_type: "code" },
      },
      profile(profile: GoogleProfile) {
        const isOwn = profile.hd === "example.com" && profile.email_verified
        return {
          id: profile.sub,
          name: `${profile.given_name} ${profile.family_name ?? ""}`,
          email: profile.email,
          image: profile.picture.replace("=s96", "=s256"),
          username: profile.email.split("@")[0],
          isOwn,
        }
      },
    }),
  ],
  callbacks: {
    async signIn({ account, profile }) {
      if (account?.provider !== "google") return true
      return profile?.email?.endsWith("@example.com") ? true : "/not-allowed"
    },
    async redirect({ url, baseUrl }) {
      return url.startsWith("/") ? `${baseUrl}${url}` : url
    },
  },
}

/** A game server: Discord's pictures and flags. */
export const gameServer = {
  adapter,
  providers: [
    discord({
      authorization: "https://discord.com/api/oauth2/authorize?scope=identify+email+guilds",
      profile(profile: DiscordProfile) {
        const format = profile.avatar?.startsWith("a_") ? "gif" : "png"
        if (profile.avatar === null) {
          profile.image_url = `https://cdn.discordapp.com/embed/avatars/${Number(profile.discriminator) % 5}.png`
        } else {
          profile.image_url = `https://cdn.discordapp.com/avatars/${profile.id}/${profile.avatar}.${format}`
        }
        return {
          id: profile.id,
          name: profile.global_name ?? profile.username,
          email: profile.email,
          image: profile.image_url,
          banner: profile.banner,
        }
      },
    }),
  ],
  callbacks: {
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
  },
} satisfies AuthConfig
holds<Same<InferSession<typeof gameServer>["user"]["id"], string>>()

/** A portfolio of developers: the page and the login of the GitHub account. */
export const developers: AuthConfig = {
  providers: [
    gitHub({
      clientId: env["GITHUB_ID"],
      clientSecret: env["GITHUB_SECRET"],
      profile: (profile: GitHubProfile) => ({
        id: profile.id.toString(),
        name: profile.name || profile.login,
        email: profile.email,
        image: profile.avatar_url,
        url: profile.html_url.toLowerCase(),
        repositories: profile.public_repos,
        joined: new Date(profile.created_at),
      }),
    }),
  ],
  events: {
    async signIn({ user, account, profile, isNewUser }) {
      if (isNewUser) console.log(user.name, account?.access_token, profile?.html_url)
    },
  },
}

/** A video tool. */
export const videos: AuthConfig = {
  providers: [
    tiktok({
      profile: (profile: TiktokProfile) => ({
        id: profile.data.user.open_id,
        name: profile.data.user.display_name,
        image: profile.data.user.avatar_url,
        email: profile.data.user.email || profile.data.user.username || null,
      }),
    }),
    twitter({
      profile: ({ data }) => ({
        id: data.id,
        name: data.name,
        email: data.email ?? null,
        image: data.profile_image_url ?? null,
        handle: data.username.toLowerCase(),
        isVerified: data.verified,
      }),
    }),
    facebook({
      profile: (profile) => ({
        id: profile.id,
        name: profile.name,
        email: profile.email,
        image: profile.picture.data.url,
      }),
    }),
  ],
}

/** A shop: Apple's name, which comes once, and a cookie that other sites may send. */
export const shop: AuthConfig = {
  providers: [
    apple({
      profile: (profile) => ({
        id: profile.sub,
        name: profile.user
          ? `${profile.user.name.firstName} ${profile.user.name.lastName}`
          : profile.email,
        email: profile.email,
        image: null,
      }),
    }),
  ],
  cookies: {
    pkceCodeVerifier: {
      name: "next-auth.pkce.code_verifier",
      options: { httpOnly: true, sameSite: "none", path: "/", secure: true },
    },
  },
  useSecureCookies: process.env["NODE_ENV"] === "production",
}

/** A developer platform: its own GitLab, large pictures, and a role beside what the provider's function maps. */
export const platform: AuthConfig = {
  providers: [
    gitLab({ baseUrl: "https://gitlab.example.com", clientId: env["GITLAB_ID"] }),
    microsoftEntraID({
      profilePhotoSize: 96,
      async profile(profile, tokens, context) {
        const user = await microsoftEntraID().profile?.(profile, tokens, context)
        return { ...user, role: profile.roles?.[0] ?? "reader" }
      },
    }),
  ],
}

/** A company: tenants of Microsoft, Auth0's own claims, and Slack's team. */
export const company: AuthConfig = {
  providers: [
    microsoftEntraID({
      clientId: env["ENTRA_ID"],
      clientSecret: env["ENTRA_SECRET"],
      issuer: `https://login.microsoftonline.com/${env["ENTRA_TENANT"]}/v2.0`,
      profile: (profile) => ({
        id: profile.oid,
        name: profile.name,
        email: profile.email ?? profile.preferred_username,
        image: null,
        isAdmin: profile.roles?.includes("Admin") ?? false,
      }),
    }),
    auth0({
      profile: (profile) => ({
        id: profile.sub,
        name: profile.nickname,
        email: profile.email,
        image: profile.picture,
        roles: profile["https://example.com/roles"] ?? [],
      }),
    }),
    slack({
      profile: (profile) => ({
        id: profile.sub,
        name: profile.name,
        email: profile.email,
        image: profile.picture,
        team: profile["https://slack.com/team_id"],
      }),
      checks: ["pkce", "nonce"],
    }),
  ],
}

/** A provider of the application's own, typed as in the documentation of Auth.js. */
export interface ForgeProfile {
  account_id: number
  display: string
  mail: string
}

export function Forge<P extends ForgeProfile>(
  options: OAuthUserConfig<P> & { baseUrl?: string },
): OAuthConfig<P> {
  const baseUrl = options.baseUrl ?? "https://forge.example.com"
  return {
    id: "forge",
    name: "Forge",
    type: "oauth",
    authorization: { url: `${baseUrl}/authorize`, params: { scope: "profile" } },
    token: `${baseUrl}/token`,
    userinfo: {
      url: `${baseUrl}/me`,
      async request({ tokens, provider }) {
        const response = await fetch(provider.userinfo?.url as URL, {
          headers: { Authorization: `Bearer ${tokens.access_token}` },
        })
        return await response.json()
      },
    },
    profile(profile) {
      return { id: profile.account_id.toString(), name: profile.display, email: profile.mail }
    },
    style: { bg: "#fff", text: "#000" },
    options,
  }
}

export const directory = (options: OAuthUserConfig<Profile>): OIDCConfig<Profile> => ({
  id: "directory",
  name: "Directory",
  type: "oidc",
  issuer: "https://directory.example.com",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  options,
})

export const oidcAsOAuth: OAuthConfig<ForgeProfile> = {
  id: "forge-oidc",
  name: "Forge",
  type: "oidc",
  issuer: "https://forge.example.com",
  clientId: env["FORGE_ID"],
  clientSecret: env["FORGE_SECRET"],
}

export const ownProviders: AuthConfig = {
  providers: [Forge({ clientId: "id", clientSecret: "secret" }), directory({}), oidcAsOAuth],
}

const listed: Provider[] = [google, gitHub({}), Forge({})]

/** A starter: the sign-in page lists the providers. */
export const providerMap = listed.map((provider) => {
  const { id, name, type } = typeof provider === "function" ? provider({}) : provider
  return { id, name, type }
})
export const starter: AuthConfig = { providers: listed, pages: { signIn: "/signin" } }

/** An API behind a framework's own protection. */
export const noCsrf: AuthConfig = {
  providers: [passkey],
  adapter,
  skipCSRFCheck,
  experimental: { enableWebAuthn: true },
}

/** A session in a cookie: whoever wants the id has to put it there. */
export const cookieSession = {
  providers: [credentials({ credentials: { name: {} }, authorize: async () => ({ id: "1" }) })],
  callbacks: {
    session({ session, token }) {
      if (token.sub) session.user.id = token.sub
      return session
    },
  },
} satisfies AuthConfig
holds<Same<InferSession<typeof cookieSession>["user"]["id"], string | undefined>>()
// @ts-expect-error: nothing says that the callback put an id there
export const id = (session: InferSession<typeof cookieSession>): string => session.user.id

export const explicitId = {
  providers: [],
  callbacks: {
    session: ({ session, token }) => ({
      expires: session.expires,
      user: { name: session.user.name ?? null, id: token.sub ?? "" },
    }),
  },
} satisfies AuthConfig
holds<Same<InferSession<typeof explicitId>["user"]["id"], string>>()

export const cookieSessionWithAdapter = {
  providers: [],
  adapter,
  session: { strategy: "jwt" },
  callbacks: { session: ({ session }) => session },
} satisfies AuthConfig
holds<Same<InferSession<typeof cookieSessionWithAdapter>["user"]["id"], string | undefined>>()

export const storedSession = {
  providers: [],
  adapter,
  callbacks: { session: ({ session }) => session },
} satisfies AuthConfig
holds<Same<InferSession<typeof storedSession>["user"]["id"], string>>()

export const middlewares = [starter, gameServer, cookieSession, company].map((config) =>
  MiddlewareAuth(config),
)

export function describe(user: User | AdapterUser | DefaultUser, account?: Account | null): string {
  return `${user.name ?? user.email} (${account?.providerAccountId})`
}
