/** An API whose front end is served elsewhere. */
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import express, { type Express } from "express"

export function createApi({
  frontEnd = "http://localhost:5173",
  ...options
}: MiddlewareAuthConfig & { frontEnd?: string }): Express {
  const config: MiddlewareAuthConfig = { ...options, trustHost: true, trustedOrigins: [frontEnd] }

  const app = express()
  app.use("/auth", MiddlewareAuth(config))

  // The application's own routes need CORS headers, too.
  app.use("/api", (req, res, next) => {
    res.vary("Origin")
    if (req.headers.origin === frontEnd) {
      res.set("Access-Control-Allow-Origin", frontEnd)
      res.set("Access-Control-Allow-Credentials", "true")
    }
    next()
  })

  app.get("/api/greeting", async (req, res) => {
    const session = await getSession(req, config)
    if (session) res.json({ greeting: `Hello ${session.user?.name}` })
    else res.status(401).json({ greeting: "Please sign in" })
  })
  return app
}
