/** The page with the second factors of a user, and its forms. Latchkey's own page adds the app. */
import { requireFreshSession } from "@latchkey/express"
import { Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { type MemberHandler, membersOnly } from "../current-user.ts"
import { newRecoveryCodesPage, secondFactorPage, secondFactorPath } from "../pages/second-factor.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function secondFactorRoutes(context: AppContext): Router {
  const { config, sameOriginForms } = context
  const { factors } = context.auth
  const router = Router()
  const members = (handler: MemberHandler) => membersOnly(context.findCurrentUser, handler)
  // A change needs both factors, and recently.
  const fresh = [requireFreshSession(config), requireFreshSession(config, { level: 2 })]

  router.get(
    secondFactorPath,
    members(async (currentUser, _req, res) => {
      sendPage(res, context, currentUser, secondFactorPage(await factors.list(currentUser.id)))
    }),
  )

  router.post(
    `${secondFactorPath}/remove`,
    sameOriginForms,
    fresh,
    members(async ({ id: userId, session }, req, res) => {
      await factors.remove({ userId, session, id: String(getFormFields(req)["id"]) })
      res.redirect(303, secondFactorPath)
    }),
  )

  router.post(
    `${secondFactorPath}/recovery-codes`,
    sameOriginForms,
    fresh,
    members(async (currentUser, _req, res) => {
      const { id: userId, session } = currentUser
      const codes = await factors.replaceRecoveryCodes({ userId, session })
      res.set("cache-control", "no-store")
      sendPage(res, context, currentUser, newRecoveryCodesPage(codes))
    }),
  )

  return router
}
