/** Another project sees the declarations that the first one wrote. */

import { createClient, type getSession } from "@latchkey/client"
import type { InferClientSession, InferSession, Session, User } from "@latchkey/core"
import type * as app from "../dist/auth.js"
import { holds, type Same } from "../dist/expect.js"

interface WithRole {
  user: User
  expires: string
  role: app.Role
}

holds<Same<InferSession<typeof app.always>, WithRole>>()
holds<Same<InferClientSession<typeof app.helped>, WithRole>>()
holds<Same<InferSession<typeof app.helpedAuth>, WithRole>>()
holds<Same<InferSession<typeof app.satisfying>["role"], app.Role>>()
holds<Same<InferSession<typeof app.atSignIn>["role"], app.Role | undefined>>()

export const client = createClient<typeof app.always>({ basePath: "/auth" })
holds<Same<Awaited<ReturnType<typeof client.getSession>>, WithRole | null>>()
holds<Same<Awaited<ReturnType<typeof client.updateSession>>, WithRole | null>>()
holds<Same<Awaited<ReturnType<typeof getSession>>, Session | null>>()

export async function roleAfterSignIn(): Promise<app.Role | undefined> {
  const result = await client.signIn("credentials", { redirect: false, name: "ada" })
  return result.kind === "signed-in" ? result.session.role : undefined
}
