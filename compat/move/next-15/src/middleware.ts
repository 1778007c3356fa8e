import { withAuth } from "next-auth/middleware"

export default withAuth({
  pages: { signIn: "/login" },
  callbacks: { authorized: ({ token }) => token?.role === "reader" },
})

export const config = { matcher: ["/protected", "/members"] }
