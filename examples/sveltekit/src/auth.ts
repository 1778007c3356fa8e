/** Latchkey in this application: its hook, and what its forms do. */
import { CompiledAuth } from "@latchkey/sveltekit"
import { config } from "./auth.config.ts"

export const { handle, signIn, signOut } = CompiledAuth(config)
