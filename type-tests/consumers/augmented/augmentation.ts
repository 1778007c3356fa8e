/** What an application says of all of its sessions. The test has it said of other modules, too. */
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
