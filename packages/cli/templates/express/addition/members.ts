/** The routes of Latchkey under /auth, and a page for members only: mount them with `app.use(members)`. */
import { getSession, MiddlewareAuth } from "@latchkey/express"
import { Router } from "express"
import { config } from "./auth.ts"

export const members = Router()
members.use("/auth", MiddlewareAuth(config))

members.get("/members", async (req, res, next) => {
  try {
    const session = await getSession(req, config)
    const callbackUrl = encodeURIComponent(req.originalUrl)
    if (!session?.user) return res.redirect(`/auth/signin?callbackUrl=${callbackUrl}`)
    // The page shows who is signed in, so no cache may keep it for others.
    res.set("Cache-Control", "private, no-store")
    res.type("text").send(`Hello ${session.user.name}. Only members can read this.`)
  } catch (error) {
    next(error) // Express 5 does this by itself.
  }
})
