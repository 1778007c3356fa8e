import NextAuth from "next-auth"
import github from "next-auth/providers/github"

export const { auth } = NextAuth({ providers: [github({ clientId: "a", clientSecret: "b" })] })
