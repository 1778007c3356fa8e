import { isServer } from "@builder.io/qwik"
import github from "@latchkey/core/providers/github"
import { ResumableAuth$ } from "@latchkey/qwik"

export const { onRequest, useSession, useSignIn, useSignOut } = ResumableAuth$(
  () => isServer && { providers: [github({ clientId: "a", clientSecret: "b" })] },
)
