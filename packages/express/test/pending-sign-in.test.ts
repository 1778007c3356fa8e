/** A sign-in that waits for its second factor is no session, for the middleware and the functions of the package. */
import {
  getSession,
  MiddlewareAuth,
  requireFreshSession,
  signOut,
  updateSession,
} from "@latchkey/express"
import express from "express"
import { test } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createConfig } from "./support/config.ts"
import { serve } from "./support/http.ts"

test("nothing takes it for a session", async () => {
  await testPendingSignIn(async (changes) => {
    const config = createConfig(changes)
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use("/session", async (req, res) => void res.json(await getSession(req, config)))
    app.use("/payroll", requireFreshSession(config))
    app.use("/payroll", (_req, res) => void res.send("grace@example.com"))
    app.use("/rename", async (req, res) => void res.json(await updateSession(req, config, {}, res)))
    app.use("/leave", async (req, res) => void res.json(await signOut(req, config, {}, res)))
    return { app: await serve(app), pages: ["/session", "/payroll", "/rename", "/leave"] }
  })
}, 60_000)
