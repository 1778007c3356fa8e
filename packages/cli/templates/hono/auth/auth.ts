/** The configuration of Latchkey: who can sign in. */
import { defineConfig, FetchAuth } from "@latchkey/fetch"

// Made-up people to sign in as, in development.
const development =
  process.env.NODE_ENV === "development" ? await import("@latchkey/testing/development") : undefined

export const config = defineConfig({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/fetch/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})

// In production, `checkConfigAtStartup` ends the process.
if (config.providers.length === 0 && process.env.NODE_ENV !== "production")
  throw new Error(
    "Nobody can sign in: auth.ts has no provider. Set NODE_ENV=development to sign in as a made-up person, or add one.",
  )

export const auth = FetchAuth(config)
