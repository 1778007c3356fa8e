/** The configuration of Latchkey: who can sign in. */
import { defineConfig } from "@latchkey/core"

// Made-up people to sign in as in development. Builds do not contain them.
const development = import.meta.env?.DEV ? await import("@latchkey/testing/development") : undefined

export const config = defineConfig({
  providers: [
    // Add your own before you deploy, such as `github` of @latchkey/core/providers/github.
    ...(development ? [development.developmentProvider()] : []),
  ],
})
