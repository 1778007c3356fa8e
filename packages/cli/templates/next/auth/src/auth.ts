/** Latchkey in this application: who can sign in, and the functions for pages and actions. */
import { NextAuth } from "@latchkey/next"

// Made-up people to sign in as in development. Builds do not contain them.
const development =
  process.env.NODE_ENV === "development" ? await import("@latchkey/testing/development") : undefined

export const { handlers, auth, signOut, requireSession, checkConfigAtStartup } = NextAuth({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/next/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})
