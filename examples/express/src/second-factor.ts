/** The page "Second factor" and its forms. Mount them at /account/second-factor. Latchkey's own page adds the app. */
import { getAuth, requireFreshSession } from "@latchkey/express"
import express, { type RequestHandler, type Response, Router } from "express"
import { config } from "./auth.config.ts"
import { getCurrentSession, membersOnly } from "./auth.ts"
import { ownForms } from "./own-forms.ts"
import { secondFactorPage } from "./pages.ts"

const { factors } = getAuth(config)

// A change needs both factors, and recently.
const fresh: RequestHandler[] = [
  requireFreshSession(config),
  requireFreshSession(config, { level: 2 }),
]

export const secondFactorRoutes: Router = Router()
secondFactorRoutes.use(
  membersOnly,
  ownForms,
  express.urlencoded({ extended: false, limit: "16kb" }),
)

secondFactorRoutes.get("/", async (_req, res) => {
  const { session, userId } = readUser(res)
  res.send(secondFactorPage(session, await factors.list(userId)))
})

secondFactorRoutes.post("/", ...fresh, async (req, res) => {
  const { session, userId } = readUser(res)
  if (session) await factors.remove({ userId, session, id: String(req.body?.id) })
  res.redirect(303, "/account/second-factor")
})

function readUser(res: Response) {
  const session = getCurrentSession(res)
  return { session, userId: session?.user?.id ?? "" }
}
