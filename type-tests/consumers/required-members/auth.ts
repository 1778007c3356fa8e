/** Adapters of Auth.js do not know the members, and return users of their own type. */
import type { Adapter as AuthJsAdapter } from "@auth/core/adapters"
import { type AuthConfig, createAuth, defineConfig, type InferSession } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import gitHub from "@latchkey/core/providers/github"
import type { Session, User } from "@latchkey/core/types"
import { getSession } from "@latchkey/express"
import type { Request } from "express"
import type { Role } from "./augmentation.js"
import { holds, type Same } from "./expect.js"

export declare const authJsAdapter: AuthJsAdapter
export declare const completeAdapter: Required<AuthJsAdapter>
declare const user: User

export const adapter: Adapter = authJsAdapter
export const written: AuthConfig = { providers: [gitHub], adapter: authJsAdapter }
export const checked = { providers: [gitHub], adapter: completeAdapter } satisfies AuthConfig
export const inferred = createAuth({
  providers: [gitHub],
  adapter: authJsAdapter,
  callbacks: {
    session({ session, user }) {
      holds<Same<typeof user.role, Role>>()
      return { expires: session.expires, tenantId: user.tenantId, createdAt: user.createdAt }
    },
  },
})
export const defined = defineConfig({
  providers: [gitHub],
  adapter: completeAdapter,
  events: { createUser: ({ user }) => console.log(user.role) },
})

holds<Same<InferSession<typeof inferred>["tenantId"], string | null>>()
holds<Same<InferSession<typeof inferred>["createdAt"], Date>>()

/** An adapter of the application's own adds what the other one does not know. */
export const extended: Adapter = {
  ...authJsAdapter,
  async getUser(id) {
    const stored = await authJsAdapter.getUser?.(id)
    return stored ? { ...stored, role: "member" } : null
  },
}

export async function createUsers(): Promise<Role | undefined> {
  const newUser = { id: "1", name: "Ada", email: "ada@example.com", emailVerified: null }
  const members = { role: "admin", tenantId: null, createdAt: new Date() } as const
  const stored = await adapter.createUser?.({ ...newUser, ...members })
  // @ts-expect-error the role is missing
  await adapter.createUser?.({ ...newUser, tenantId: null, createdAt: new Date() })
  await adapter.updateUser?.({ id: "1", role: "member" })
  return stored?.role ?? (await adapter.getUserByEmail?.("ada@example.com"))?.role
}

export async function readTenant(req: Request): Promise<string | null | undefined> {
  const session = await getSession(req, written)
  holds<Same<typeof session, Session | null>>()
  return session?.user.tenantId ?? session?.tenantId
}

export const roleOf = (stored: AdapterUser | null): Role => stored?.role ?? user.role
