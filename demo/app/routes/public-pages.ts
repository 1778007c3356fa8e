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

  router.get("/inbox/:number", (req, res, next) => {
    const email = inbox.list().find(({ number }) => String(number) === req.params.number)
    if (!email?.html) return next()
    res.set("Content-Security-Policy", emailPolicy).type("html").send(email.html)
  })

  return router
}

/** Anyone could have sent the mail: it runs no scripts, loads nothing, and is no page of this origin. */
const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "sandbox allow-popups allow-popups-to-escape-sandbox"
