/** The inferred type of the session on the server and in the browser. Compiled only. */

import { createAuth, type InferSession } from "@latchkey/core"
import { createClient } from "@latchkey/express/client"
import { authConfig } from "./auth.ts"

export const auth = createAuth({
  ...authConfig,
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, plan: "free" as const }) },
})

export const client = createClient<typeof authConfig>()

export const planOf = (session: InferSession<typeof auth>): "free" => session.plan

export async function roleOnPage(): Promise<"reader" | undefined> {
  const session = await client.getSession()
  return session?.role
}

export async function unknownMember(): Promise<unknown> {
  const session = await client.getSession()
  // @ts-expect-error The session has no such member; if it were `any`, this would compile.
  return session?.rank
}
