/**
 * The routes of Latchkey under /auth, and a page for members only: mount them with `app.route("/", members)`. Routes that
 * follow have `c.var.auth`, too.
 */
import { type AuthEnv, authMiddleware } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { auth } from "./auth.ts"

export const members = new Hono<AuthEnv<typeof auth>>()
members.use(authMiddleware(auth))

members.get("/members", async (c) => {
  const { user } = await c.var.auth.requireSession()
  return c.text(`Hello ${user?.name}. Only members can read this.`)
})
