import github from "@latchkey/core/providers/github"
import { NextAuth } from "@latchkey/next"

export const { auth } = NextAuth({ providers: [github({ clientId: "a", clientSecret: "b" })] })
