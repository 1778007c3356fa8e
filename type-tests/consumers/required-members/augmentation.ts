/** Members that are required, nullable, or narrower than the default, of all users and sessions. */
import type { DefaultSession } from "@latchkey/core/types"

export type Role = "admin" | "member"

declare module "@latchkey/core/types" {
  interface User {
    id: string
    name: string
    role: Role
    tenantId: string | null
  }
  interface Session {
    user: User & DefaultSession["user"]
    tenantId: string | null
  }
}

declare module "@latchkey/core/adapters" {
  interface AdapterUser {
    createdAt: Date
  }
}
