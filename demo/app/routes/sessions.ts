/** The page with the sessions of a user, and its forms. */
import { getSessionInfo } from "@latchkey/core"
import { Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { fetchCsrfToken } from "../csrf-token.ts"
import { type MemberHandler, membersOnly } from "../current-user.ts"
import { sessionsPage } from "../pages/sessions.ts"

export function sessionsRoutes(context: AppContext): Router {
  const { factors, sessions } = context.auth
  const router = Router()
  const members = (handler: MemberHandler) => membersOnly(context.findCurrentUser, handler)

  router.get(
    "/account/sessions",
    members(async (currentUser, req, res) => {
      const allFactors = await factors.list(currentUser.id)
      const page = sessionsPage({
        trustedDevices: allFactors.filter(({ method }) => method === "trusted-device"),
        sessions: await sessions.list(currentUser.id),
        currentSessionId: getSessionInfo(currentUser.session)?.id,
        csrfToken: await fetchCsrfToken(context, req, res),
      })
      sendPage(res, context, currentUser, page)
    }),
  )

  router.post(
    "/account/sessions/revoke-others",
    context.sameOriginForms,
    members(async ({ id, session }, _req, res) => {
      await sessions.revokeAll(id, { except: getSessionInfo(session)?.id })
      res.redirect(303, "/account/sessions")
    }),
  )

  router.post(
    "/account/sessions/:session/revoke",
    context.sameOriginForms,
    members(async ({ id }, req, res) => {
      const session = await sessions.get(String(req.params["session"]))
      // The id comes from the browser: users end only their own sessions.
      if (session?.userId === id) await sessions.revoke(session.id)
      res.redirect(303, "/account/sessions")
    }),
  )

  return router
}
