import type { ScriptedUser } from "../provider/types.ts"

/** The domain is reserved for examples (RFC 2606): no e-mail reaches anybody. */
export const defaultUsers: readonly ScriptedUser[] = [
  { sub: "ada", name: "Ada Lindqvist", email: "ada@example.com", email_verified: true },
  { sub: "ben", name: "Ben Okafor", email: "ben@example.com", email_verified: true },
  { sub: "chen", name: "Chen Wei", email: "chen@example.com", email_verified: true },
]
