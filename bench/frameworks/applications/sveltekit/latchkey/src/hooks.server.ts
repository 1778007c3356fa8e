import github from "@latchkey/core/providers/github"
import { CompiledAuth } from "@latchkey/sveltekit"

export const { handle } = CompiledAuth({
  providers: [github({ clientId: "a", clientSecret: "b" })],
})
