import github from "@auth/core/providers/github"
import { QwikAuth$ } from "@auth/qwik"

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({
  providers: [github({ clientId: "a", clientSecret: "b" })],
}))
