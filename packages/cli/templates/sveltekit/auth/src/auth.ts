/** Latchkey in this application: its hook, and the actions of the forms. */
import { CompiledAuth } from "@latchkey/sveltekit"
import { building } from "$app/env"
import { config } from "./auth.config.ts"

export const { handle, signIn, signOut } = CompiledAuth(config)

if (config.providers.length === 0 && !building)
  throw new Error(
    "Nobody can sign in: src/auth.config.ts has no provider for production. Add one to it.",
  )
