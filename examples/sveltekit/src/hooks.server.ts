/** Runs for every request. */
import { sequence } from "@sveltejs/kit/hooks"
import { handle as auth } from "./auth.ts"
import { guard } from "./guard.ts"

export const handle = sequence(auth, guard)
