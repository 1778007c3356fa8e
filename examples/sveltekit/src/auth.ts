/** Latchkey in this application: its hook, and the actions of the forms. */
import { CompiledAuth } from "@latchkey/sveltekit"
import { config } from "./auth.config.ts"

export const { handle, requireFreshSession, signIn, signOut } = CompiledAuth(config)
