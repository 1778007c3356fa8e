/** Pages for everybody: the home page and the demo's inbox. */
import { Router } from "express"
import { type Kit, sendPage } from "../kit.ts"
import { guestHomePage, memberHomePage } from "../pages/home.ts"
import { inboxPage } from "../pages/inbox.ts"

export function frontRoutes(kit: Kit): Router {
  const { findVisitor, letters, notes, origin } = kit
  const router = Router()

  router.get("/", async (req, res) => {
    const visitor = await findVisitor(req, res)
    const page = visitor
      ? memberHomePage(visitor, notes.of(visitor.id), new Date())
      : guestHomePage()
    sendPage(res, kit, visitor, page)
  })

  router.get("/inbox", async (req, res) => {
    const visitor = await findVisitor(req, res)
    const page = inboxPage(letters.list(), letters.isUnread, origin)
    letters.markRead()
    sendPage(res, kit, visitor, page)
  })

  return router
}
