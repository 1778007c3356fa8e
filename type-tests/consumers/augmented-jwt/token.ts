import { createAuth, type InferSession } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"

declare module "@latchkey/core/jwt" {
  interface JWT {
    plan?: "free" | "paid"
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
