/** All that is needed comes from the package for the framework. */
import {
  type AuthConfig,
  defineConfig,
  type GetSessionResult,
  getSession,
  type InferSession,
  MiddlewareAuth,
  type MiddlewareAuthConfig,
  type Session,
  type User,
} from "@latchkey/express"
import { createClient } from "@latchkey/express/client"
import express, { type Express, type Request } from "express"
import { holds, type Same } from "./expect.js"

export declare const adapter: NonNullable<AuthConfig["adapter"]>

export const config = defineConfig({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "reader" as "admin" | "reader" }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})

export const storedConfig = defineConfig({
  providers: [],
  adapter,
  callbacks: { session: ({ session }) => session },
})

export const satisfying = {
  providers: [],
  callbacks: { session: ({ session }) => ({ expires: session.expires, plan: "free" }) },
} satisfies MiddlewareAuthConfig

export const annotated: AuthConfig = { providers: [] }
export const bare = { providers: [], trustHost: true }

export type ConfiguredSession = InferSession<typeof config>

export const client = createClient<typeof config>()
holds<Same<Awaited<ReturnType<typeof client.getSession>>, WithRole | null>>()

interface WithRole {
  user: User
  expires: string
  role: "admin" | "reader"
}

export const app: Express = express()
app.use("/auth", MiddlewareAuth(config), MiddlewareAuth(satisfying), MiddlewareAuth(bare))

export async function sessionsOf(req: Request): Promise<void> {
  const inferred = await getSession(req, config)
  holds<Same<typeof inferred, WithRole | null>>()
  const stored = await getSession(req, storedConfig)
  holds<Same<NonNullable<typeof stored>["userId"], string>>()
  const satisfied = await getSession(req, satisfying, req.res)
  holds<Same<typeof satisfied, { expires: string; plan: string } | null>>()
  const plain = await getSession(req, annotated)
  holds<Same<typeof plain, Session | null>>()
  const literal = await getSession(req, bare)
  holds<Same<typeof literal, Session | null>>()
}

export const read = (req: Request) => getSession(req, config)
holds<Same<ReturnType<typeof read>, GetSessionResult<typeof config>>>()
