import github from "@auth/core/providers/github"
import { SvelteKitAuth } from "@auth/sveltekit"

export const { handle } = SvelteKitAuth({
  trustHost: true,
  providers: [github({ clientId: "a", clientSecret: "b" })],
})
