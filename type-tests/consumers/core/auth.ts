/** Everything here is exported: its type has to have a name, or to be written out, in the declarations. */
import { type AuthConfig, createAuth, defineConfig, type JWTParams } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"

export declare const adapter: Required<Adapter>

export type Role = "admin" | "reader"

export declare function roleOf(id: string | undefined): Role

export const bare = createAuth({ providers: [], trustHost: true })

export const always = createAuth({
  providers: [credentials({ credentials: { name: {} }, authorize: () => null })],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: roleOf(token.sub) }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
  events: {
    session({ session, token }) {
      const roles: Role[] = [session.role, token.role]
      roles.map((role) => role.length)
    },
  },
})

export const atSignIn = createAuth({
  providers: [],
  callbacks: {
    async jwt({ token, user, trigger }) {
      if (trigger === "signIn") return { ...token, role: roleOf(user.id) }
      return token
    },
    async session({ session, token }) {
      return { ...session, role: token.role }
    },
  },
})

export const ending = createAuth({
  providers: [],
  callbacks: {
    jwt: ({ token }) => (token.sub ? { ...token, since: 1 } : null),
    session: ({ session, token }) => ({ ...session, since: token.since }),
  },
})

export const eventsFirst = createAuth({
  providers: [],
  events: { session: ({ session }) => void session.expires },
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: roleOf(token.sub) }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})

export const sessionFirst = createAuth({
  providers: [],
  callbacks: {
    session: ({ session, token }) => ({ ...session, subject: token.sub }),
    jwt: ({ token }) => ({ ...token, role: roleOf(token.sub) }),
  },
})

export const unchanged = createAuth({
  providers: [],
  callbacks: { jwt: ({ token }) => token, session: ({ session }) => session },
})

export const stored = createAuth({
  providers: [],
  adapter,
  callbacks: {
    session: ({ session, user }) => ({ expires: session.expires, user: { id: user.id } }),
  },
})

export const storedUnchanged = createAuth({
  providers: [],
  adapter,
  callbacks: { session: ({ session }) => session },
})

/** A member that not every session has. */
export interface Plan {
  plan?: "free" | "paid"
}

export const optionalMember = createAuth({
  providers: [],
  adapter,
  callbacks: { session: ({ session }) => ({ ...session, ...({} as Plan) }) },
})

export const optionalMemberSealed = createAuth({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, ...({} as Plan) }),
    session: ({ session, token }) => {
      const { plan } = token
      return { ...session, ...(plan ? { plan } : {}) }
    },
  },
})

export const optionalMemberSatisfying = {
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, ...({} as Plan) }) },
} satisfies AuthConfig

export const sealed = createAuth({
  providers: [],
  adapter,
  session: { strategy: "jwt" },
  callbacks: { session: ({ session, token }) => ({ ...session, subject: token.sub }) },
})

export const helped = defineConfig({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: roleOf(token.sub) }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})

export const helpedAuth = createAuth(helped)

export const satisfying = {
  providers: [],
  session: { strategy: "jwt" },
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: roleOf(token.sub) }),
    session: ({ session, token }) => ({
      user: { name: session.user.name ?? null },
      expires: session.expires,
      role: roleOf(token.sub),
    }),
  },
  events: { session: ({ session, token }) => void [session.user?.name, token.sub] },
} satisfies AuthConfig

export const satisfyingAuth = createAuth(satisfying)

export const annotated: AuthConfig = {
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" }) },
}

export const annotatedAuth = createAuth(annotated)

/** Callbacks that were typed by hand keep their types. */
const byHand = {
  jwt: ({ token, user }: JWTParams) => ({ ...token, role: roleOf(user.id) }),
  session: ({ token }: { token: { role: Role } }) => ({ expires: "", role: token.role }),
}

export const mixed = createAuth({ providers: [], callbacks: byHand })
export const mixedInline = createAuth({
  providers: [],
  callbacks: { jwt: ({ token }) => ({ ...token, role: roleOf("") }), session: byHand.session },
})
