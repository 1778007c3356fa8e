/** The page "Your sessions" and its forms. Mount them at /account/sessions. */
import { getAuth, getSessionInfo } from "@latchkey/express"
import express, { type Response, Router } from "express"
import { config } from "./auth.config.ts"
import { getCurrentSession, membersOnly } from "./auth.ts"
import { ownForms } from "./own-forms.ts"
import { sessionsPage } from "./pages.ts"

const { sessions } = getAuth(config)

export const sessionRoutes: Router = Router()
sessionRoutes.use(membersOnly, ownForms, express.urlencoded({ extended: false, limit: "16kb" }))

sessionRoutes.get("/", async (_req, res) => {
  const { session, userId, currentId } = readIds(res)
  res.send(sessionsPage(session, await sessions.list(userId), currentId))
})

sessionRoutes.post("/one", async (req, res) => {
  const info = await sessions.get(String(req.body?.id))
  // The id comes from the browser: users end only their own sessions.
  if (info?.userId === readIds(res).userId) await sessions.revoke(info.id)
  res.redirect(303, "/account/sessions")
})

sessionRoutes.post("/others", async (_req, res) => {
  const { userId, currentId } = readIds(res)
  await sessions.revokeAll(userId, { except: currentId })
  res.redirect(303, "/account/sessions")
})

/** Returns the session of a member, and the ids of its user and of the session itself. */
function readIds(res: Response) {
  const session = getCurrentSession(res)
  const currentId = session ? getSessionInfo(session)?.id : undefined
  return { session, userId: session?.user?.id ?? "", currentId }
}
