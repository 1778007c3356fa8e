/** The page "Your sessions" and its forms. Mount them at /account/sessions. */
import { getSessionInfo } from "@latchkey/fetch"
import { type Context, Hono } from "hono"
import { csrf } from "hono/csrf"
import { type AppEnv, auth } from "./auth.ts"
import { sessionsPage } from "./pages.ts"

const { sessions } = auth.getAuth()

export const sessionRoutes = new Hono<AppEnv>()
// Refuses forms that other sites send.
sessionRoutes.use(csrf())

sessionRoutes.get("/", async (c) => {
  const { session, userId, currentId } = await readIds(c)
  return c.html(sessionsPage(session, await sessions.list(userId), currentId))
})

sessionRoutes.post("/one", async (c) => {
  const { userId } = await readIds(c)
  const form = await c.req.formData()
  const info = await sessions.get(String(form.get("id")))
  // The id comes from the browser: users end only their own sessions.
  if (info?.userId === userId) await sessions.revoke(info.id)
  return c.redirect("/account/sessions", 303)
})

sessionRoutes.post("/others", async (c) => {
  const { userId, currentId } = await readIds(c)
  await sessions.revokeAll(userId, { except: currentId })
  return c.redirect("/account/sessions", 303)
})

/** Returns the session of a member, and the ids of its user and of the session itself. */
async function readIds(c: Context<AppEnv>) {
  const session = await c.var.auth.requireSession()
  return { session, userId: session.user?.id ?? "", currentId: getSessionInfo(session)?.id }
}
