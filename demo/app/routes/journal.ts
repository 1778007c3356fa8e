/** The journal and its forms. */
import { Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { type MemberHandler, membersOnly } from "../current-user.ts"
import { normalizeNote } from "../notes.ts"
import { journalPage } from "../pages/journal.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function journalRoutes(context: AppContext): Router {
  const { findCurrentUser, notes, sameOriginForms } = context
  const router = Router()
  const members = (handler: MemberHandler) => membersOnly(findCurrentUser, handler)

  router.get(
    "/journal",
    members((currentUser, _req, res) => {
      sendPage(
        res,
        context,
        currentUser,
        journalPage(currentUser, notes.listByUser(currentUser.id), new Date()),
      )
    }),
  )

  router.post(
    "/journal",
    sameOriginForms,
    members(({ id }, req, res) => {
      const text = normalizeNote(getFormFields(req)["text"])
      if (text !== "") notes.add(id, text)
      res.redirect(303, "/journal")
    }),
  )

  router.post(
    "/journal/:note/remove",
    sameOriginForms,
    members(({ id }, req, res) => {
      const note = Number(req.params["note"])
      if (Number.isSafeInteger(note)) notes.remove(id, note)
      res.redirect(303, "/journal")
    }),
  )

  return router
}
