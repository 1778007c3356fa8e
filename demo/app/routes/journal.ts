/** The protected page, and the posts of its forms. */
import { Router } from "express"
import { type Kit, sendPage } from "../kit.ts"
import { tidyNote } from "../notes.ts"
import { fieldsOf } from "../own-forms.ts"
import { journalPage } from "../pages/journal.ts"
import { type MemberHandler, membersOnly } from "../visitor.ts"

export function journalRoutes(kit: Kit): Router {
  const { findVisitor, notes, ownForms } = kit
  const router = Router()
  const members = (handler: MemberHandler) => membersOnly(findVisitor, handler)

  router.get(
    "/journal",
    members((visitor, _req, res) => {
      sendPage(res, kit, visitor, journalPage(visitor, notes.of(visitor.id), new Date()))
    }),
  )

  router.post(
    "/journal",
    ownForms,
    members(({ id }, req, res) => {
      const text = tidyNote(fieldsOf(req)["text"])
      if (text !== "") notes.write(id, text)
      res.redirect(303, "/journal")
    }),
  )

  router.post(
    "/journal/:note/remove",
    ownForms,
    members(({ id }, req, res) => {
      const note = Number(req.params["note"])
      if (Number.isSafeInteger(note)) notes.remove(id, note)
      res.redirect(303, "/journal")
    }),
  )

  return router
}
