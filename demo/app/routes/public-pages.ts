/** Public pages: the home page and the demo's inbox. */
import { Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { guestHomePage, memberHomePage } from "../pages/home.ts"
import { inboxPage } from "../pages/inbox.ts"

export function publicPageRoutes(context: AppContext): Router {
  const { findCurrentUser, inbox, notes, origin } = context
  const router = Router()

  router.get("/", async (req, res) => {
    const currentUser = await findCurrentUser(req, res)
    const page = currentUser
      ? memberHomePage(currentUser, notes.listByUser(currentUser.id), new Date())
      : guestHomePage()
    sendPage(res, context, currentUser, page)
  })

  router.get("/inbox", async (req, res) => {
    const currentUser = await findCurrentUser(req, res)
    const page = inboxPage(inbox.list(), inbox.isUnread, origin)
    inbox.markRead()
    sendPage(res, context, currentUser, page)
  })

  return router
}
