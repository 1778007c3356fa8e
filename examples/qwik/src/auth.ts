import { isServer } from "@builder.io/qwik"
import { ResumableAuth$ } from "@latchkey/qwik"
import { config } from "./auth.config.ts"

// The condition keeps the configuration, and all that it imports, out of what browsers can load.
export const { onRequest, useSession, useSignIn, useSignOut } = ResumableAuth$(
  () => isServer && config,
)
