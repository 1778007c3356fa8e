import { getRequestListener } from "@hono/node-server"
import type { FetchAuth } from "@latchkey/fetch"
import {
  type AuthEnv,
  authMiddleware,
  requireFreshSession,
  requireSession,
} from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { afterAll } from "vitest"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"
import { listen } from "./support/serve.ts"

function createApplication(auth: FetchAuth) {
  const app = new Hono<AuthEnv<typeof auth>>()
  app.use(authMiddleware(auth))
  app.get("/members", requireSession(), (c) => c.text(members))
  app.get("/account", requireFreshSession({ maxAge }), (c) => c.text(account))
  for (const [path, route] of Object.entries(getRoutes))
    app.get(path, (c) => route(c.var.auth, new FormData()))
  for (const [path, route] of Object.entries(postRoutes))
    app.post(path, async (c) => route(c.var.auth, await c.req.formData()))
  app.onError((_error, c) => c.text("something went wrong", 500))
  return app
}

// Hono's server of Node.js replaces these for the whole process, which runs other tests, too.
const { Request, Response } = globalThis
afterAll(() => void Object.assign(globalThis, { Request, Response }))

testBehaviours("Hono", (auth) => listen(getRequestListener(createApplication(auth).fetch)))
