/** The page "Security" and its forms. Mount them at /account/security. Latchkey's own pages add apps and passkeys. */
import { getAuth, requireFreshSession } from "@latchkey/express"
import express, { type RequestHandler, type Response, Router } from "express"
import { config } from "./auth.config.ts"
import { getCurrentSession, membersOnly } from "./auth.ts"
import { ownForms } from "./own-forms.ts"
import { securityPage } from "./pages.ts"

const { factors, passkeys } = getAuth(config)

// A change needs both factors, and recently.
const fresh: RequestHandler[] = [
  requireFreshSession(config),
  requireFreshSession(config, { level: 2 }),
]

export const securityRoutes: Router = Router()
securityRoutes.use(membersOnly, ownForms, express.urlencoded({ extended: false, limit: "16kb" }))

securityRoutes.get("/", async (_req, res) => {
  const { session, userId } = readUser(res)
  res.send(securityPage(session, await factors.list(userId), await passkeys.list(userId)))
})

securityRoutes.post("/", ...fresh, async (req, res) => {
  const { session, userId } = readUser(res)
  const { id, passkey } = req.body ?? {}
  if (session && id) await factors.remove({ userId, session, id: String(id) })
  if (session && passkey) await passkeys.delete({ userId, session, id: String(passkey) })
  res.redirect(303, "/account/security")
})

function readUser(res: Response) {
  const session = getCurrentSession(res)
  return { session, userId: session?.user?.id ?? "" }
}
