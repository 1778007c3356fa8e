import { AuthError } from "@latchkey/fetch"
import { type AuthEnv, authMiddleware } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { auth } from "./auth.ts"

export const app = new Hono<AuthEnv<typeof auth>>()

// The routes of the library, such as /auth/signin, and `c.var.auth` in all others.
app.use(authMiddleware(auth))

app.get("/", (c) => c.html('<a href="/members">Members</a> <a href="/auth/signout">Sign out</a>'))

// The guard: visitors who are signed out sign in first, and return.
app.get("/members", async (c) => {
  const { user } = await c.var.auth.requireSession()
  return c.text(`Hello ${user?.name}`)
})

app.onError((error, c) => {
  // The session could not be checked, so nobody knows whether the user is signed in.
  if (error instanceof AuthError) return c.text("Please try again in a moment.", 503)
  console.error(error)
  return c.text("Something went wrong.", 500)
})
