/** The form for a new account, which creates a user with a password and signs them in. */
import { serializeCookie } from "@latchkey/core"
import { type Request as ExpressRequest, type Response, Router } from "express"
import { type AppContext, getCookieHeaders, sendPage } from "../app-context.ts"
import { type FieldErrors, type JoinForm, parseJoinForm } from "../members.ts"
import { joinPage } from "../pages/join.ts"
import { createRateLimit } from "../rate-limit.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function joinRoutes(context: AppContext): Router {
  const { findCurrentUser, members, sameOriginForms } = context
  const router = Router()
  const rateLimit = createRateLimit(20, 60)

  router.get("/join", async (req, res) => {
    const currentUser = await findCurrentUser(req, res)
    if (currentUser) res.redirect(303, "/account")
    else sendPage(res, context, undefined, joinPage())
  })

  router.post("/join", sameOriginForms, async (req: ExpressRequest, res: Response) => {
    const form = parseJoinForm(getFormFields(req))
    const sendErrors = (errors: FieldErrors) => {
      res.status(422)
      sendPage(res, context, undefined, joinPage(form, errors))
    }
    if (!rateLimit("join")) return sendErrors({ name: "Too many attempts. Please wait a minute." })
    const errors = await members.createMember(form)
    if (errors) return sendErrors(errors)
    await signIn(context, form, req, res)
  })

  return router
}

/** Signs in without a CSRF token, because `sameOriginForms` has checked the request. */
async function signIn(
  { auth, origin }: AppContext,
  { username, password }: JoinForm,
  req: ExpressRequest,
  res: Response,
): Promise<void> {
  const { redirect, cookies } = await auth.signIn({
    provider: "credentials",
    options: { username, password, redirectTo: "/journal" },
    headers: getCookieHeaders(req),
    url: `${origin}${req.originalUrl}`,
  })
  for (const cookie of cookies) res.append("Set-Cookie", serializeCookie(cookie))
  res.redirect(303, redirect)
}
