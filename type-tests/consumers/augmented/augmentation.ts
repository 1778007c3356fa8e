/** The types of all sessions of an application. The test also augments other modules. */
import type { User } from "@latchkey/core/types"

declare module "@latchkey/core/types" {
  interface Session {
    plan?: "free" | "paid"
    user?: User
  }
  interface User {
    nickname?: string
  }
  interface JWT {
    plan?: "free" | "paid"
  }
}
