/** Latchkey in this application: who can sign in, and the functions for routes. */
import { defineConfig, FetchAuth } from "@latchkey/fetch"
import { createMiddleware } from "@latchkey/fetch/react-router"

// Made-up people to sign in as in development. Builds do not contain them.
const development = import.meta.env?.DEV ? await import("@latchkey/testing/development") : undefined

export const config = defineConfig({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/fetch/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})

export const auth = FetchAuth(config)

// A server in production that could sign nobody in ends here.
auth.checkConfigAtStartup()

export const { authMiddleware, authContext } = createMiddleware(auth)
