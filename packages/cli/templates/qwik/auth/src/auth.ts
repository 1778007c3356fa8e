/** Latchkey in this application. */
import { isServer } from "@builder.io/qwik"
import { ResumableAuth$ } from "@latchkey/qwik"
import { config } from "./auth.config"

// Do not omit the condition: it keeps the configuration and its imports out of the code for browsers.
export const { onRequest, useSession, useSignIn, useSignOut } = ResumableAuth$(
  () => isServer && config,
)
