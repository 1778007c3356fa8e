import type { config } from "./auth.config.ts"

// Gives `event.locals.auth()` the type of this application's sessions.
declare module "@latchkey/sveltekit" {
  interface Register {
    config: typeof config
  }
}
