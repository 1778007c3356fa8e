import { type AuthConfig, createAuth, type InferSession, type InferToken } from "@latchkey/core"
import type { JWT, Session, User } from "@latchkey/core/types"
import { getSession } from "@latchkey/express"
import type { Request } from "express"
import { holds, type Same } from "./expect.js"

type Plan = "free" | "paid" | undefined

holds<Same<Session["plan"], Plan>>()
holds<Same<User["nickname"], string | undefined>>()
holds<Same<JWT["plan"], Plan>>()

/** Written as for Auth.js: the callbacks change their parameters. */
export const written: AuthConfig = {
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      if (user?.nickname) token.plan = "paid"
      return token
    },
    session({ session, token }) {
      if (token.plan) session.plan = token.plan
      return session
    },
  },
}

export const writtenAuth = createAuth(written)
holds<Same<InferSession<typeof writtenAuth>["plan"], Plan>>()

export async function readPlan(req: Request): Promise<Plan> {
  const session = await getSession(req, written)
  holds<Same<typeof session, Session | null>>()
  return session?.plan
}

/** Inferred types include it, in addition to the members of this configuration. */
export const inferred = createAuth({
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      if (user) return { ...token, plan: "paid" as const, role: "reader" }
      return token
    },
    session({ session, token }) {
      if (token.plan) session.plan = token.plan
      return { ...session, role: token.role }
    },
  },
})

type Inferred = InferSession<typeof inferred>
holds<Same<Inferred["plan"], Plan>>()
holds<Same<Inferred["role"], string | undefined>>()
holds<Same<Inferred["user"]["nickname"], string | undefined>>()
holds<Same<InferToken<typeof written>["plan"], Plan>>()

export const plain = createAuth({ providers: [] })
holds<Same<InferSession<typeof plain>, Session>>()
