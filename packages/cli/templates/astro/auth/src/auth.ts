/** Latchkey in this application: who can sign in, and the functions for pages and routes. */
import { existsSync } from "node:fs"
import { defineConfig, FetchAuth } from "@latchkey/fetch"

// In development, Astro reads .env only for `import.meta.env`.
if (import.meta.env?.DEV && existsSync(".env")) process.loadEnvFile()

// Made-up people to sign in as in development. Builds do not contain them.
const development = import.meta.env?.DEV ? await import("@latchkey/testing/development") : undefined

export const config = defineConfig({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/fetch/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})

export const auth = FetchAuth(config)
