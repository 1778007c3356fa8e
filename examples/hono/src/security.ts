/** The page "Security" and its form. Mount them at /account/security. Latchkey's own page adds the app. */
import { requireFreshSession } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { csrf } from "hono/csrf"
import { type AppEnv, auth } from "./auth.ts"
import { securityPage } from "./pages.ts"

const { factors } = auth.getAuth()

export const securityRoutes = new Hono<AppEnv>()
// Refuses forms that other sites send.
securityRoutes.use(csrf())

securityRoutes.get("/", async (c) => {
  const session = await c.var.auth.requireSession()
  return c.html(securityPage(session, await factors.list(session.user?.id ?? "")))
})

// A change needs both factors, and recently.
securityRoutes.post("/", requireFreshSession(), requireFreshSession({ level: 2 }), async (c) => {
  const session = await c.var.auth.requireSession()
  const form = await c.req.formData()
  const id = String(form.get("id"))
  await factors.remove({ userId: session.user?.id ?? "", session, id })
  return c.redirect("/account/security", 303)
})
