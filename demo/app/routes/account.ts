/** The account page. */
import { Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { fetchCsrfToken } from "../csrf-token.ts"
import { membersOnly } from "../current-user.ts"
import { accountPage } from "../pages/account.ts"

export function accountRoutes(context: AppContext): Router {
  const router = Router()
  router.get(
    "/account",
    membersOnly(context.findCurrentUser, async (currentUser, req, res) => {
      const csrfToken = await fetchCsrfToken(context, req, res)
      sendPage(res, context, currentUser, accountPage(currentUser, csrfToken))
    }),
  )
  return router
}
