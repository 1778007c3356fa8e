/** The example with routes for the behaviour tests. */
import { getSession, MiddlewareAuth } from "@latchkey/express"
import express from "express"
import { app } from "./app.ts"
import { config } from "./auth.config.ts"
import { codeRoutes } from "./email-code.ts"

const { HOST: host = "127.0.0.1", PORT: port = "3000", PROBE_TRUST_PROXY: trust } = process.env

const probe = express()
if (trust) probe.set("trust proxy", trust)

probe.use((_req, res, next) => {
  res.append("Set-Cookie", "foreign=kept; Path=/")
  next()
})

probe.get("/probe/session", (req, res, next) => {
  getSession(req, config).then((session) => res.json({ session }), next)
})

probe.use(codeRoutes)

// The base path of the configuration, if it has one: the example mounts the routes at /auth.
probe.use(MiddlewareAuth(config))
probe.use(app)

probe.listen(Number(port), host)
