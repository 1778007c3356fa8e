/** Augmentations as applications write them for Auth.js. None of the modules is imported. */
import type { DefaultSession } from "@latchkey/core/types"

export type Role = "admin" | "member"

declare module "@latchkey/core/types" {
  interface User {
    id: string
    role?: Role
  }
  interface Session {
    user: { id: string; role: Role } & DefaultSession["user"]
    accessToken?: string
    error?: "RefreshTokenError"
  }
}

declare module "@latchkey/core/jwt" {
  interface JWT {
    id: string
    role: Role
    accessToken?: string
    refreshToken?: string
    expiresAt?: number
    error?: "RefreshTokenError"
  }
}

declare module "@latchkey/core/adapters" {
  interface AdapterUser {
    stripeCustomerId?: string | null
  }
}
