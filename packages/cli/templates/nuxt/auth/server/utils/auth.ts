/** Latchkey in this application: who can sign in, and the functions for routes. */
import { defineConfig, FetchAuth } from "@latchkey/fetch"

// Made-up people to sign in as in development. Builds do not contain them.
const development = import.meta.dev ? await import("@latchkey/testing/development") : undefined

export const config = defineConfig({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/fetch/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})

export const auth = FetchAuth(config)
