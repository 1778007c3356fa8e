/** The page "Second factor" and its form. Mount them at /account/second-factor. Latchkey's own page adds the app. */
import { requireFreshSession } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { csrf } from "hono/csrf"
import { type AppEnv, auth } from "./auth.ts"
import { secondFactorPage } from "./pages.ts"

const { factors } = auth.getAuth()

export const secondFactorRoutes = new Hono<AppEnv>()
// Refuses forms that other sites send.
secondFactorRoutes.use(csrf())

secondFactorRoutes.get("/", async (c) => {
  const session = await c.var.auth.requireSession()
  return c.html(secondFactorPage(session, await factors.list(session.user?.id ?? "")))
})

// A change needs both factors, and recently.
secondFactorRoutes.post(
  "/",
  requireFreshSession(),
  requireFreshSession({ level: 2 }),
  async (c) => {
    const session = await c.var.auth.requireSession()
    const form = await c.req.formData()
    const id = String(form.get("id"))
    await factors.remove({ userId: session.user?.id ?? "", session, id })
    return c.redirect("/account/second-factor", 303)
  },
)
