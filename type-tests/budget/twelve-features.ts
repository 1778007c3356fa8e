/** A configuration with twelve features and more, and how an application uses it. */
import { createAuth, type InferClientSession, type InferSession } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"

declare const adapter: Required<Adapter>
declare const roleOf: (id: string | undefined) => "admin" | "reader"

export const auth = createAuth({
  providers: [
    tenantidp({ clientId: "a", clientSecret: "b", issuer: "https://login.example.com" }),
    socialidp({ clientId: "a", clientSecret: "b" }),
    nodemailer({ server: "smtp://localhost", from: "hello@example.com" }),
    credentials({
      credentials: { username: { label: "Name" }, password: { type: "password" } },
      authorize: ({ username }) => ({ id: String(username) }),
    }),
    {
      id: "own",
      name: "Own",
      type: "oidc",
      issuer: "https://id.example.com",
      profile: ({ sub, name }) => ({ id: sub, name }),
    },
  ],
  secret: ["0123456789abcdef0123456789abcdef", "abcdef0123456789abcdef0123456789"],
  trustHost: true,
  basePath: "/auth",
  adapter,
  session: { strategy: "jwt", maxAge: 3600, updateAge: 60 },
  jwt: { maxAge: 3600 },
  callbacks: {
    signIn: ({ user, account, profile }) =>
      account?.provider !== "own" || (Boolean(user.email) && profile?.email_verified === true),
    redirect: ({ url, baseUrl }) => (url.startsWith("/") ? baseUrl + url : baseUrl),
    async jwt({ token, user, account, trigger, session }) {
      if (trigger === "update") return { ...token, theme: String(session?.theme) }
      if (account) return { ...token, role: roleOf(user.id), provider: account.provider }
      return token
    },
    async session({ session, token }) {
      const { role = "reader", provider, theme } = token
      return { ...session, user: { ...session.user, id: token.sub ?? "" }, role, provider, theme }
    },
  },
  events: {
    signIn: ({ user, isNewUser }) => console.log(user.id, isNewUser),
    signOut: (message) => console.log("token" in message),
    createUser: ({ user }) => console.log(user.id),
    linkAccount: ({ account }) => console.log(account.provider),
    session: ({ session, token }) => console.log(session.role, token.role),
  },
  pages: { signIn: "/login", error: "/oops" },
  theme: { colorScheme: "dark", brandColor: "#123456" },
  cookies: { sessionToken: { name: "sid", options: { sameSite: "strict" } } },
  useSecureCookies: true,
  logger: { error: (code, ...message) => console.error(code, message) },
  rateLimit: ({ action, identifier }) => action === "credentials" && identifier !== "",
  redirectProxyUrl: "https://proxy.example.com/auth",
  accountLinking: "explicit",
  experimental: { enableWebAuthn: false },
})

export type Session = InferSession<typeof auth>
export type ClientSession = InferClientSession<typeof auth>

export async function roleIn(request: Request): Promise<"admin" | "reader" | undefined> {
  const { session } = await auth.getSession(request)
  return session?.role
}
