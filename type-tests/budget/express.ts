/** A configuration in its own const, used by a middleware, by pages, and to read tokens. */
import { defineConfig, type InferToken } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import type { Request } from "express"

declare const roleOf: (id: string | undefined) => "admin" | "reader"

export const config = defineConfig({
  providers: [tenantidp],
  callbacks: {
    jwt: ({ token, user }) => (user ? { ...token, role: roleOf(user.id) } : token),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})

export const middleware = MiddlewareAuth(config)

export async function rolesIn(req: Request): Promise<("admin" | "reader" | undefined)[]> {
  const session = await getSession(req, config)
  const token = await getToken<InferToken<typeof config>>({ req, secret: "" })
  return [session?.role, token?.role]
}
