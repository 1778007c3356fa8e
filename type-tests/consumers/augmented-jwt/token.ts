import { type AuthConfig, createAuth, type InferSession } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import type { DefaultSession } from "@latchkey/core/types"

declare module "@latchkey/core/jwt" {
  interface JWT {
    plan?: "free" | "paid"
  }
}

declare module "@latchkey/core/types" {
  interface Session {
    user: { id: string } & DefaultSession["user"]
  }
}

export const auth = createAuth({
  providers: [],
  callbacks: {
    jwt({ token }) {
      token.plan = "paid"
      return token
    },
    session: ({ session, token }) => ({ ...session, plan: token.plan }),
  },
})

export const planOf = (session: InferSession<typeof auth>): "free" | "paid" | undefined =>
  session.plan

export async function planIn(req: Request): Promise<"free" | "paid" | undefined> {
  const token = await getToken({ req, secret: "" })
  return token?.plan
}

export const config = {
  providers: [],
  callbacks: {
    session({ session, token }) {
      session.user.id = token.sub ?? ""
      return session
    },
  },
} satisfies AuthConfig

/** Also without a database, if the application declares it. */
export const idOf = (session: InferSession<typeof config>): string => session.user.id
